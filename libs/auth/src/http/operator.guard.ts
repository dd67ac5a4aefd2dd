/** Lets an operator in: the first one by OPERATOR_TOKEN, the named ones by the tokens they were given. */
import { createParamDecorator, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { canonicalId, digest, isWellFormedToken, Refusal, sameBytes } from '#libs/domain';
import { LookUps } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { workFor } from '#libs/db';
import { type GatewayRequest, type OperatorRoleName, readBody, singleHeader, vouchFor } from '#libs/http-kit';
import { OperatorReads } from '../db/operator.reads';
import type { Asker } from './asker';
import { FailedAttempts } from './failed-attempts';

export interface Operator {
  name: string;
  role: OperatorRoleName;
}

interface OperatorRequest extends GatewayRequest {
  operator: Operator;
}

const BEARER = /^bearer ([^\s]{1,500})$/i;
const RANK: Record<OperatorRoleName, number> = { viewer: 0, operator: 1, admin: 2 };
export const FIRST_OPERATOR: Operator = { name: 'root', role: 'admin' };

@Injectable()
export class OperatorGuard {
  private readonly lookUps = new LookUps((digests) => this.operators.byTokens(digests));

  constructor(
    private readonly operators: OperatorReads,
    private readonly failures: FailedAttempts,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async check(request: GatewayRequest, role: OperatorRoleName): Promise<Asker> {
    const operator = await this.identify(request);
    request.callerId = `operator:${operator.name}`;
    workFor(request.callerId);
    refuseBelow(role, operator);
    request.body = await readBody(request, request.callerId);
    (request as OperatorRequest).operator = operator;
    await this.shareByClient(request as OperatorRequest);
    return { actor: operator.name, checkAgain: () => this.checkAgain(request, role) };
  }

  /** What an operator does to one client waits for what others hold of it, and leaves what is done to another to go on. */
  private async shareByClient({ method, params, callerId }: OperatorRequest): Promise<void> {
    const id = method !== 'GET' && typeof params.id === 'string' && canonicalId(params.id);
    const clientId = id && (await this.operators.clientOf(id));
    if (clientId && callerId) workFor(callerId, clientId);
  }

  /** From here on a revocation of the token waits until the deed is done, and sees its result. */
  private async checkAgain(request: GatewayRequest, role: OperatorRoleName): Promise<void> {
    const token = tokenOf(request) ?? '';
    const operator = this.isFirst(token) ? FIRST_OPERATOR : await this.operators.hold(digest(token));
    if (!operator) throw badToken();
    refuseBelow(role, operator);
  }

  async identify(request: GatewayRequest): Promise<Operator> {
    const operator = await this.known(request);
    if (operator) {
      vouchFor(request, `operator:${operator.name}`);
      return operator;
    }
    await this.failures.count(request);
    throw badToken();
  }

  private async known(request: GatewayRequest): Promise<Operator | null> {
    const token = tokenOf(request);
    if (token && this.isFirst(token)) return FIRST_OPERATOR;
    const suspect = this.failures.tooMany(request);
    return token && isWellFormedToken(token) ? this.lookUps.byDigest(digest(token), suspect) : null;
  }

  private isFirst(token: string): boolean {
    return sameBytes(digest(token), digest(this.config.operatorToken));
  }
}

const tokenOf = (request: GatewayRequest): string | undefined =>
  BEARER.exec(singleHeader(request, 'authorization') ?? '')?.[1];

function badToken(): Refusal {
  return new Refusal('invalid_operator_token', 'Send a valid operator token as `Authorization: Bearer <token>`.');
}

function refuseBelow(role: OperatorRoleName, operator: Operator): void {
  if (RANK[operator.role] < RANK[role]) throw new Refusal('insufficient_role', `This needs the role ${role}.`);
}

/** The operator who asks, for the audit log. */
export const ActingOperator = createParamDecorator(
  (_: unknown, context: ExecutionContext): Operator => context.switchToHttp().getRequest<OperatorRequest>().operator,
);

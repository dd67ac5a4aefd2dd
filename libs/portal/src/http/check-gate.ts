/** Says what is in the way of a payment's money: it is on hold, or its payee has to be checked first. */
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { RateLimit } from '#libs/domain';
import type { GatewayRequest } from '#libs/http-kit';
import { identityPage, type IdentityStep } from '../pages/identity';
import { BLOCKED } from '../pages/portal-words';
import { PageChecks } from '../use-cases/page-checks';
import type { Asking } from '../use-cases/page-questions';
import type { ClaimVisit } from '../use-cases/visit-claim';
import { sendPage } from './page-answer';
import { fromOf, WalletDoor } from './wallet-door';

const STATUS: Partial<Record<IdentityStep, number>> = { cannot: 409, refused: 422, later: 503 };

interface Shown {
  step: IdentityStep;
  reason?: string | null;
  /** If there were too many. */
  rateLimit?: RateLimit | null;
  /** Where the step has none of its own. */
  status?: number;
}

export interface Passing {
  /** Of an answer in place of what was asked for. */
  status?: number;
  asking?: Asking;
}

@Injectable()
export class CheckGate {
  constructor(
    private readonly checks: PageChecks,
    private readonly door: WalletDoor,
  ) {}

  /** Whether the money may go on; if not it was said why. */
  async lets(
    request: GatewayRequest,
    response: Response,
    visit: ClaimVisit,
    { status = 200, asking }: Passing = {},
  ): Promise<boolean> {
    if (!(await this.letsNow(request, response, visit, { status }))) return false;
    const standing = await this.checks.standing(visit, asking);
    if (standing.kind === 'cleared') return true;
    const step = standing.kind === 'unknown' ? 'later' : standing.kind;
    const reason = standing.kind === 'rejected' ? standing.reason : null;
    this.say(request, response, visit, { step, reason, status });
    return false;
  }

  /** Whatever was checked: nothing keeps it where it is. */
  async letsNow(
    request: GatewayRequest,
    response: Response,
    visit: ClaimVisit,
    { status = 200 }: Passing = {},
  ): Promise<boolean> {
    if (!(await this.checks.isOnHold(visit))) return true;
    this.door.say(request, response, BLOCKED, { owner: visit, status });
    return false;
  }

  say(
    request: GatewayRequest,
    response: Response,
    visit: ClaimVisit,
    { step, reason = null, rateLimit, status = 200 }: Shown,
  ): void {
    const shown = { payout: visit.payout, from: fromOf(visit), form: this.door.formOf(request), step, reason };
    sendPage(request, response, (frame) => identityPage({ ...frame, ...shown }), {
      reader: visit,
      status: STATUS[step] ?? status,
      rateLimit,
    });
  }
}

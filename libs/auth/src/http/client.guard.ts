/**
 * The check chain of a client's request, in the documented order: key, timestamp, signature, suspended, rate limit, replay,
 * scope, body. The size was checked when the bytes were read; ownership and state are the use cases' part.
 */
import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  type Clock,
  holdsScope,
  isNonce,
  isWellFormedToken,
  parseSignature,
  Refusal,
  sameBytes,
  signV1,
  signV2,
  unixSeconds,
} from '#libs/domain';
import { type Client, ClientRegistry, type KnownClient } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { CONFIG, type Config } from '#libs/config';
import { workFor } from '#libs/db';
import {
  type Access,
  type GatewayRequest,
  isRepeated,
  readBody,
  sayLimit,
  singleHeader,
  vouchFor,
} from '#libs/http-kit';
import type { Admission } from '../db/admission.store';
import { AdmitRequest } from '../use-cases/admit-request';
import type { Asker } from './asker';
import type { ClientRequest } from './client-request';
import { FailedAttempts } from './failed-attempts';
import { signatureAdvice, timestampTrouble } from './signing-advice';

const BEARER = /^bearer ([^\s]{1,200})$/i;
/** A used signature is kept this long after its timestamp: the window, and a margin for clocks that differ. */
const KEEP_SECONDS = 360;

/** A repeated header would leave open what was signed. */
const SIGNING_HEADERS = ['x-gw-signature', 'x-gw-signature-v2', 'x-gw-nonce'];

type ClientAccess = Extract<Access, { kind: 'client' }>;

interface Signed {
  known: KnownClient;
  timestamp: number;
  signature: Buffer;
}

@Injectable()
export class ClientGuard {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly admission: AdmitRequest,
    private readonly failures: FailedAttempts,
    @Inject(CONFIG) private readonly config: Config,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async check(request: GatewayRequest, access: ClientAccess): Promise<Asker> {
    if (access.needsV2 && singleHeader(request, 'x-gw-signature-v2') === undefined)
      await this.failures.counted(request, () => Promise.reject(new Refusal('invalid_signature', NEEDS_V2)));
    const signed = await this.authenticated(request);
    const { client } = signed.known;
    request.callerId = client.id;
    workFor(client.id);
    refuseUnlessServed(client, access);
    await this.admit(request, signed);
    refuseWithoutScope(client, access);
    request.body = await readBody(request, request.callerId);
    (request as ClientRequest).client = client;
    return { actor: ACTOR, checkAgain: () => this.checkAgain(request, access) };
  }

  /** Not counted as a failed attempt: it was right on arrival, and a delayed refusal would hold the deed's locks. */
  private async checkAgain(request: GatewayRequest, access: ClientAccess): Promise<void> {
    const known = await this.clients.storedByKey(keyOf(request) ?? '');
    if (!known) throw badKey();
    if (!this.signature(request, known)) throw new Refusal('invalid_signature', SECRET_ENDED);
    refuseUnlessServed(known.client, access);
    refuseWithoutScope(known.client, access);
  }

  /** The key's client: looked up before a body is read, and again once it is there. Wrong keys count for the address. */
  identify(request: GatewayRequest): Promise<KnownClient> {
    return this.failures.counted(request, async () => {
      const key = keyOf(request);
      const suspect = this.failures.tooMany(request);
      const known = key && isWellFormedToken(key) ? await this.clients.byKey(key, suspect) : null;
      if (!known) throw badKey();
      vouchFor(request, known.client.id);
      return known;
    });
  }

  private async authenticated(request: GatewayRequest): Promise<Signed> {
    const known = await this.identify(request);
    return this.failures.counted(request, async () => {
      const trouble = timestampTrouble(request, unixSeconds(this.clock));
      if (trouble) throw new Refusal('stale_timestamp', trouble);
      if (SIGNING_HEADERS.some((name) => isRepeated(request, name)))
        throw new Refusal('invalid_signature', `Send ${SIGNING_HEADERS.join(', ')} once each at most.`);
      const signature = this.signature(request, known) ?? (await this.signatureByNews(request, known));
      const version = usesSecond(request, known.client) ? 2 : 1;
      if (!signature) throw new Refusal('invalid_signature', signatureAdvice(request, version));
      return { known, timestamp: Number(singleHeader(request, 'x-gw-timestamp')), signature };
    });
  }

  /** The secret may have been made a moment ago, by another process. */
  private async signatureByNews(request: GatewayRequest, { client }: KnownClient): Promise<Buffer | null> {
    const now = await this.clients.reread(client.id);
    return now && this.signature(request, now);
  }

  /** null: none of the secrets made it. */
  private signature(request: GatewayRequest, { client, secrets }: KnownClient): Buffer | null {
    const useSecond = usesSecond(request, client);
    const given = parseSignature(singleHeader(request, useSecond ? 'x-gw-signature-v2' : 'x-gw-signature'));
    const matches = secrets.map(({ secret }) =>
      sameBytes(given ?? Buffer.alloc(0), this.expected(request, secret, useSecond)),
    );
    return given && matches.includes(true) ? given : null;
  }

  private expected(request: GatewayRequest, secret: string, second: boolean): Buffer {
    const timestamp = singleHeader(request, 'x-gw-timestamp') ?? '';
    if (!second) return signV1(secret, timestamp, request.rawBody);
    const nonce = singleHeader(request, 'x-gw-nonce');
    if (!isNonce(nonce)) return Buffer.alloc(0, 0);
    return signV2(secret, {
      timestamp,
      nonce,
      method: request.method,
      target: request.originalUrl,
      body: request.rawBody,
    });
  }

  private async admit(request: GatewayRequest, { known: { client }, timestamp, signature }: Signed): Promise<void> {
    const limitPerMinute = client.rateLimitPerMinute ?? this.config.rateLimitPerMinute;
    const admission = {
      clientId: client.id,
      limitPerMinute,
      ...marksOf(request, signature),
      keepSeconds: timestamp + KEEP_SECONDS - unixSeconds(this.clock),
    };
    const { outcome, resetSeconds } = await this.admission.run(admission, () => (request.isPutOff = true));
    if (outcome === 'rate_limited') {
      sayLimit(request, { limit: limitPerMinute, resetSeconds });
      throw new Refusal('rate_limited', 'Too many requests this minute. Go on at the next full minute.');
    }
    if (outcome === 'replayed') throw new Refusal('replayed_request', REPLAYED);
  }
}

type Marks = Pick<Admission, 'fingerprints' | 'spends' | 'unlessSpent'>;

/**
 * A request with both signatures uses up both: without one header it must not count as another request. Version 1 does not
 * say where it goes, so beside version 2, which does, it is used up for every place.
 */
function marksOf(request: GatewayRequest, checked: Buffer): Marks {
  const first = parseSignature(singleHeader(request, 'x-gw-signature'));
  const beside = first && !sameBytes(first, checked) ? first : null;
  const spends = beside && anywhere(beside);
  if (request.method === 'GET' || request.method === 'HEAD') return { fingerprints: [], spends };
  const fingerprints = [checked, ...(beside ? [beside] : [])].map((signature) => fingerprintOf(request, signature));
  return { fingerprints, spends, unlessSpent: beside ? null : anywhere(checked) };
}

/** A path that differs only in letter case names the same object, so it is the same request. */
function fingerprintOf(request: GatewayRequest, signature: Buffer): Buffer {
  return createHash('sha256').update(`${request.method}\n${request.path.toLowerCase()}\n`).update(signature).digest();
}

const anywhere = (signature: Buffer): Buffer => createHash('sha256').update('anywhere\n').update(signature).digest();

const keyOf = (request: GatewayRequest): string | undefined =>
  BEARER.exec(singleHeader(request, 'authorization') ?? '')?.[1];

function refuseUnlessServed({ status }: Client, { evenClosed }: ClientAccess): void {
  if (status !== 'active' && !(evenClosed && status === 'closed'))
    throw new Refusal('client_suspended', REFUSED_CLIENTS[status]);
}

function refuseWithoutScope({ scopes }: Client, { scope }: ClientAccess): void {
  if (!holdsScope(scopes, scope)) throw new Refusal('insufficient_scope', `This needs the scope ${scope}.`);
}

function badKey(): Refusal {
  return new Refusal('invalid_api_key', 'Send a valid API key as `Authorization: Bearer <API_KEY>`.');
}

function usesSecond(request: GatewayRequest, client: Client): boolean {
  return singleHeader(request, 'x-gw-signature-v2') !== undefined || client.requireSignatureV2;
}

/** The name of all clients in the audit log: no operator can have it, and each row names the client. */
const ACTOR = 'client';

const SECRET_ENDED =
  'The signing secret used for this request expired while the request was waiting. Sign it again with the current secret.';

const REFUSED_CLIENTS = {
  suspended: 'The operator suspended this client.',
  closed: 'The operator closed this client for good.',
};

const NEEDS_V2 =
  'x-gw-signature-v2 is missing. This is signed with version 2 only: send it and x-gw-nonce as the API reference describes them.';

const REPLAYED =
  'This signature was used already. Sign it anew: a new timestamp, and with version 2 a new nonce. Version 1 signs the same ' +
  'body alike within a second.';

/** Notices of Stripe, believed by their signature alone. They come from two webhooks, each with a secret of its own. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Notice, NoticeReading, RailClock } from '#libs/rail-kit';

const FORGED = { kind: 'forged' } as const;
const TOLERANCE_MS = 300_000;
/** While a secret is changed Stripe signs with the old and the new one. */
const MOST_SIGNATURES = 10;

export class StripeNotices {
  constructor(
    private readonly secrets: readonly string[],
    private readonly clock: RailClock,
  ) {}

  read({ headers, body }: Notice): NoticeReading {
    const signed = signedBy(headers['stripe-signature'] ?? '');
    if (!signed || !this.isOfNow(Number(signed.time) * 1000)) return FORGED;
    const isGenuine = this.secrets.some((secret) => secret !== '' && isSigned(secret, signed, body));
    return isGenuine ? hintsOf(body) : FORGED;
  }

  private isOfNow(time: number): boolean {
    return time > this.clock.now().getTime() - TOLERANCE_MS && time < this.clock.latest().getTime() + TOLERANCE_MS;
  }
}

interface Signed {
  time: string;
  signatures: string[];
}

function signedBy(header: string): Signed | null {
  const parts = header.split(',').map((part) => part.split('=', 2));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = parts.flatMap(([name, value = '']) => (name === 'v1' ? [value] : [])).slice(0, MOST_SIGNATURES);
  return /^[0-9]{1,11}$/.test(time) && signatures.length > 0 ? { time, signatures } : null;
}

function isSigned(secret: string, { time, signatures }: Signed, body: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  return signatures.some((signature) => {
    const given = Buffer.from(signature, 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

interface Told {
  id?: unknown;
  type?: unknown;
  account?: unknown;
  data?: { object?: { metadata?: { rail_key?: unknown } } };
}

/** Which payments and accounts it is about. Of another kind, or made by others with the same account: nothing to ask about. */
function hintsOf(body: Buffer): NoticeReading {
  const { id, type, account, data } = JSON.parse(body.toString('utf8')) as Told;
  if (typeof id !== 'string' || id === '' || typeof type !== 'string') return FORGED;
  const railKey = data?.object?.metadata?.rail_key;
  const isOfAccount = /^(account|capability|person)\./.test(type) && typeof account === 'string';
  return {
    kind: 'hints',
    noticeId: id,
    railKeys: typeof railKey === 'string' && railKey !== '' ? [railKey] : [],
    ...(isOfAccount ? { accountIds: [account] } : {}),
  };
}

/** Notices of Adyen about transfers, believed by their signature alone. What they say is read again: their order does not matter. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Notice, NoticeReading } from '#libs/rail-kit';
import { railKeyOf } from './references';

const FORGED = { kind: 'forged' } as const;

/**
 * Adyen repeats an unheard notice for days, under the time of its first try: an old one is no forgery. A replay makes us ask Adyen once
 * more, or not even that, because its id is known.
 */
export class AdyenNotices {
  constructor(private readonly keys: readonly Buffer[]) {}

  read({ headers, body }: Notice): NoticeReading {
    const given = Buffer.from(headers.hmacsignature ?? '', 'base64');
    const isGenuine = this.keys.some((key) => {
      const expected = createHmac('sha256', key).update(body).digest();
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return isGenuine ? hintsOf(body) : FORGED;
  }
}

interface Told {
  type?: unknown;
  data?: { reference?: unknown };
}

/** Of account holders nothing is heard: whether somebody can be paid is found by asking, and the contract says so. */
function hintsOf(body: Buffer): NoticeReading {
  const { type, data } = JSON.parse(body.toString('utf8')) as Told;
  const isOfTransfer = typeof type === 'string' && type.startsWith('balancePlatform.transfer.');
  const reference = isOfTransfer && typeof data?.reference === 'string' ? data.reference : '';
  // The same words are the same notice: a transfer that went on is told with another number.
  const noticeId = createHash('sha256').update(body).digest('hex');
  return { kind: 'hints', noticeId, railKeys: reference === '' ? [] : [railKeyOf(reference)] };
}

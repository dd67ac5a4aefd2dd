/** What was paid here, and is not in the list of its rail. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { SENT_ELSEWHERE } from '#libs/rail-registry';
import type { NewDrift } from '../drift';
import { codesIn, ONLY_PULLED_BACK, UNLISTED } from './compared';
import type { Portion } from './rail-lists.book';

@Injectable()
export class PaidButNotListed {
  constructor(private readonly db: Db) {}

  /** Only what was paid lately is held against the list, which may be very long. */
  async all(rail: string, portion: Portion, movedKeys: Set<string>): Promise<NewDrift[]> {
    const { paidSince, until, lateSeconds } = portion;
    const paid = await this.db.rows<{ railKey: string }>(PAID, [rail, paidSince]);
    const moved = paid.map(({ railKey }) => railKey).filter((railKey) => movedKeys.has(railKey));
    return this.db.rows<NewDrift>(MISSING, [rail, paidSince, moved, until, lateSeconds]);
  }

  /** Of one code. */
  ofCode(railKey: string, rail: string, portion: Portion, movedKeys: Set<string>): Promise<NewDrift[]> {
    const { paidSince, until, lateSeconds } = portion;
    const moved = movedKeys.has(railKey) ? [railKey] : [];
    return this.db.rows<NewDrift>(MISSING_OF, [rail, paidSince, moved, until, lateSeconds, railKey]);
  }
}

const PAID_SINCE = `provider = $1 AND status IN ('paid', 'returned') AND updated_at >= $2`;
const PAID = `SELECT rail_key FROM payouts WHERE ${PAID_SINCE}`;

/**
 * A provider may list a movement a little later than it tells of it; its list was asked for at $4 or later, however long ago that is by now. The next
 * comparison begins before that. What was sent with another account is not in the list of this one.
 */
const LATEST = `$4::timestamptz - greatest(300, $5::int) * interval '1 second'`;
export const MISSING = `
  SELECT $1 AS rail, rail_key, 'not_moved_there' AS kind, id AS payout_id, provider_ref, NULL::bigint AS rail_cents,
    NULL AS rail_currency, amount_cents AS our_cents, currency AS our_currency, status AS our_status,
    false AS has_moved, NULL::bigint AS lifting_fee_cents
  FROM payouts ${UNLISTED}
  WHERE ${PAID_SINCE} AND updated_at < ${LATEST}
    AND (rail_key NOT IN ${codesIn('$3')} OR (${ONLY_PULLED_BACK}))
    AND NOT EXISTS (SELECT FROM rail_accounts WHERE rail = $1 AND ${SENT_ELSEWHERE})`;
const MISSING_OF = `${MISSING} AND rail_key = $6`;

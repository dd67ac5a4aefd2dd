/** A test client may ask for a payout to be held, for any reason of the catalogue, until somebody releases it. */
import { type Blocker, reasonCodeOf } from '#libs/domain';
import { HOLD, holdAskedFor } from '#libs/rail-kit';
import type { Payout } from './payout';

const DETAIL = 'asked for by the test';

/** How a held payout shows it, also to statements: before its reason's code in what the test wrote, and after it in what it is held for. */
export const TEST_HOLD = { before: HOLD, after: `: ${DETAIL}` };

/** A hold that comes before any other: once released, the payout's gates decide, as for any other. */
export function heldByTest({ testMode, status, reason }: Payout): Blocker | null {
  const asked = testMode && status === 'requested' ? holdAskedFor(reason) : null;
  return asked && { to: 'held', reason: asked, detail: DETAIL };
}

/** It does not go on by itself, whatever else does that is held for the same reason. */
export function waitsForTest({
  testMode,
  statusReason: held,
  reason,
}: Pick<Payout, 'testMode' | 'statusReason' | 'reason'>): boolean {
  const code = reasonCodeOf(held) ?? '';
  return testMode && reason === TEST_HOLD.before + code && held === code + TEST_HOLD.after;
}

/** A test client may ask for a payout to be held, for any reason of the catalogue, until somebody releases it. */
import { type Blocker, statusReason } from '#libs/domain';
import { holdAskedFor } from '#libs/rail-kit';
import type { Payout } from './payout';

const DETAIL = 'asked for by the test';

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
  const asked = testMode ? holdAskedFor(reason) : null;
  return asked !== null && held === statusReason(asked, DETAIL);
}

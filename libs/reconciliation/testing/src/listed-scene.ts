/** A payout in legs, what its rail lists of it, and what is in dispute about it. */
import { systemClock } from '#libs/domain';
import { type Drift, DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, thenDo } from '#libs/payouts/testing';
import type { RailMovement } from '#libs/rail-kit';

export interface ListedScene {
  line(payout: Payout, direction: 'out' | 'back', providerRef: string): RailMovement & { rail: string };
  openAbout(payout: Payout): Promise<Drift[]>;
  /** Since it was listed. */
  timePasses(payout: Payout, minutes: number): Promise<unknown>;
  /** Not sent yet. Once it is, its money comes as far as its bank, which does not take it for now. */
  toBeRefused(): Promise<Payout>;
}

export function listedScene(world: () => MoneyWorld): ListedScene {
  return {
    line: ({ railKey, amountCents }, direction, providerRef) => ({
      ...{ rail: 'custodial_a', railKey, amountCents, currency: 'USD' },
      ...{ providerRef, direction, movedAt: systemClock.now() },
    }),
    openAbout: async ({ railKey }) =>
      (await world().get(DriftReads).list({ open: true }, null, 100)).filter((drift) => drift.railKey === railKey),
    timePasses: ({ railKey }, minutes) =>
      world().db.execute(
        `UPDATE rail_movements SET listed_at = listed_at - $2::float8 * interval '1 minute' WHERE rail_key = $1`,
        [railKey, minutes],
      ),
    toBeRefused: async () => {
      const client = await world().client();
      const payee = await world().payee(client, { country: 'FR' });
      await world().adopt(client, payee);
      world().rail.says({ first: thenDo('payout'), payout: refused() });
      const { id } = await world().pay(client, payee, 6_000);
      return world().payout(id);
    },
  };
}

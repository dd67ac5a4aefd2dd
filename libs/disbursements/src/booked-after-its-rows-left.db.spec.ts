/**
 * A payout was refused, its rows left under another code and were paid; hours later its rail books it after all, and lists it at the time at which it
 * was made, as Adyen does. Nobody tells. Others that were sent before it are paid meanwhile, day by day (1, 2).
 */
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import { anHourPasses, compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were paid under another code', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const line = ({ provider, railKey, amountCents, submittedAt }: Payout, providerRef: string) => ({
    ...{ rail: provider as string, railKey, amountCents, currency: 'USD', providerRef, movedAt: submittedAt as Date },
  });

  test('and move under their first one too, hours later, are named', async () => {
    const client = await world.client();
    const [other, scene] = [await OwedScene.of(world, client), await OwedScene.of(world, client)];
    await other.push(2_000);
    const [sent] = await other.withdraw();
    world.rail.answers = () => accepted('ref_other');
    await world.drive((sent as Payout).id);
    world.rail.answers = null;
    await scene.push(6_000);
    const first = await scene.refusedWithdrawal();
    world.rail.knows.set(first.railKey, refused());
    const [second] = await scene.withdraw();
    world.rail.answers = () => settled('ref_second');
    await world.drive((second as Payout).id);
    expect(await world.status((second as Payout).id)).toBe('paid');
    expect(await world.payout(first.id)).toMatchObject({ status: 'failed', supersededBy: second?.id });
    const payouts = [sent, first, second] as [Payout, Payout, Payout];
    const listed = async (references: string[]) => {
      const now = await Promise.all(payouts.map(({ id }) => world.payout(id)));
      world.rail.moved = references.flatMap((reference, place) =>
        reference ? [line(now[place] as Payout, reference)] : [],
      );
      await compare(world);
    };
    await listed(['ref_other', '', 'ref_second']);
    for (const { id } of payouts) await anHourPasses(world, id);
    await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '1 hour'`);
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 minute'`);
    await other.tells(await world.payout(payouts[0].id), settled('ref_other'));
    expect(await world.status(payouts[0].id)).toBe('paid');
    await listed(['ref_other', 'ref_first', 'ref_second']);
    expect(await scene.openDrift(payouts[2])).toMatchObject([{ kind: 'amount_differs', railCents: 12_000 }]);
  }, 60_000);
});

/**
 * A rail hints at news of a payout that came back (PayPal: its reversal is cancelled), before its look-ups know. As with what is paid or failed it is
 * asked about again some times: nobody else would ask, for what came back is not watched, and its rows may have left with another payout.
 */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';
import { DrivePayoutJob } from './jobs/drive-payout.job';
import { AskRail } from './use-cases/ask-rail';
import { PayoutJobs } from './use-cases/payout-jobs';

describe('a hint about a payout that its look-up knows nothing new of', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each(['paid', 'returned'])('is followed by other questions: %s', async (status) => {
    world.rail.reset();
    const payout = await world.pay(client, await world.payee(client));
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.knows.set(payout.railKey, status === 'paid' ? settled() : { kind: 'bounced', feeCents: 0 });
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    expect(await world.status(payout.id)).toBe(status);
    await world.get(PayoutJobs).look(payout);
    const outcome = await world.get(DrivePayoutJob).look(payout.id, 1, { createdAt: systemClock.now() });
    expect(outcome).toEqual({ againInSeconds: expect.any(Number) as number });
  });

  test('is followed by other questions: failed, settled after all, and sent back', async () => {
    world.rail.reset();
    const payout = await world.pay(client, await world.payee(client));
    world.rail.answers = () => refused('permanent');
    await world.drive(payout.id);
    for (const fact of [settled(), { kind: 'bounced', feeCents: 0 } as const]) {
      world.rail.knows.set(payout.railKey, fact);
      await world.get(AskRail).lookUp(await world.payout(payout.id));
    }
    // No second look comes any more.
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '2 days' WHERE id = $1`, [payout.id]);
    await world.get(PayoutJobs).look(payout);
    const outcome = await world.get(DrivePayoutJob).look(payout.id, 1, { createdAt: systemClock.now() });
    expect(outcome).toEqual({ againInSeconds: expect.any(Number) as number });
  });
});

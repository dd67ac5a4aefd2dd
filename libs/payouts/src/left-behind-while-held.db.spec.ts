/**
 * What somebody holds while its floor is tipped is left to the sweep (ADR 20): but if the others leave without it, it is below its floor
 * alone, and no sweep lets it go on.
 */
import { holding } from '#libs/db/testing';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';

describe('a payout that somebody holds for a moment while its group reaches its floor', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('goes on as the others of its group do', async () => {
    const client = await world.client({ floors: { claim_rail: 10_000 } });
    const payee = await world.payee(client);
    const small = await world.pay(client, payee, 3_000);
    const large = await world.pay(client, payee, 6_000);
    // As whoever asks to cancel it, or fails it, and is refused or taken back in the end.
    const letGo = await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [small.id]);
    const tips = await world.pay(client, payee, 6_000);
    await letGo();
    await world.get(SelfReleaseJobs).sweep();
    const all = await Promise.all([small, large, tips].map(({ id }) => world.status(id)));
    expect(all).toEqual(['authorized', 'authorized', 'authorized']);
  });
});

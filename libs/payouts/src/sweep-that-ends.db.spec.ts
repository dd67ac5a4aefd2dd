/**
 * What a sweep has asked about first is still held when the sweep ends: that is no reason to begin anew at once, for as long as rails are
 * slow. And whoever takes over, a newer version for one, does not wait until a sweep is through.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { RailCaller } from '#libs/rail-registry';
import { WalletBook } from '#libs/wallets';
import {
  copiesOf,
  earlier,
  type MoneyWorld,
  othersLike,
  refused,
  ReleaseFunded,
  ReleaseHeld,
  startMoneyWorld,
} from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ChangePayout } from './use-cases/change-payout';
import { ReleaseCleared } from './use-cases/release-cleared';

describe('a sweep over very many payouts', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('whose rail is asked first ends, although it has not answered yet', async () => {
    const client = await world.client({ autoRelease: ['not_payable'] });
    for (let nth = 0; nth < 2; nth += 1) {
      const payee = await world.payee(client, { country: 'FR' });
      await world.adopt(client, payee);
      const { id } = await world.pay(client, payee);
      world.rail.says({ first: refused('account') });
      await world.drive(id);
      await earlier(world, id, '1 hour');
      expect(await world.status(id)).toBe('held');
      await copiesOf(world, await world.payout(id), 249, { created_at: 'created_at' });
    }
    await world.db.execute('UPDATE payees SET payable = true');
    const cleared = world.get(ReleaseCleared);
    const run = cleared.run.bind(cleared);
    const found: number[] = [];
    jest.spyOn(cleared, 'run').mockImplementation(async () => {
      const count = found.length < 5 ? await run() : 0; // it would go on for ever
      found.push(count);
      return count;
    });
    await world.get(SelfReleaseJobs).onSchedule();
    // Once more, for so many may not be all; they have been asked for by then.
    expect(found).toEqual([500, 0]);
  }, 60_000);

  test.each<[string, Partial<Client>, 'sweep' | 'release']>([
    ['that reach a floor', { floors: { claim_rail: 10_000 } }, 'sweep'],
    ['of a day that is over', { caps: { dailyCents: 500 } }, 'release'],
    ['that may be cleared', { caps: { singleCents: 500 }, autoRelease: ['cap_exceeded_single'] }, 'release'],
  ])('%s ends with the look at which it is told to', async (_, settings, work) => {
    await world.db.execute(`UPDATE clients SET status = 'suspended'`); // those of other tests
    const client = await world.client(settings);
    const payee = await world.payee(client, { country: 'DE' });
    expect(await world.pay(client, payee, 900)).toMatchObject({ status: 'held' });
    await othersLike(world, payee, 2);
    await world.db.execute(`UPDATE clients SET floors = '{}', caps = '{}' WHERE id = $1`, [client.id]);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '1 day'`);
    const [told, change] = [new AbortController(), world.get(ChangePayout)];
    const withPayees = change.withPayees.bind(change);
    const looks = jest.spyOn(change, 'withPayees').mockImplementation((ids, looked) => {
      told.abort();
      return withPayees(ids, looked);
    });
    await world.get(SelfReleaseJobs)[work]({ signal: told.signal });
    expect(looks).toHaveBeenCalledTimes(1);
    await world.get(SelfReleaseJobs)[work]();
    expect(new Set(looks.mock.calls.flatMap(([ids]) => ids)).size).toBe(3);
  });

  test.each([
    ['wallet', 'ofEveryClient'],
    ['rail', 'ofRails'],
  ] as const)('that its %s covers ends with the look at which it is told to', async (_, work) => {
    await world.db.execute(`UPDATE clients SET status = 'suspended'`);
    const isOfWallet = work === 'ofEveryClient';
    const client = await world.client({ prepaid: isOfWallet });
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee, 100);
    world.rail.says({ first: refused('funding') });
    if (!isOfWallet) await world.drive(id);
    const first = await world.payout(id);
    expect([first.status, first.shortOf]).toEqual(['held', isOfWallet ? 'wallet' : 'rail']);
    if (!isOfWallet) await earlier(world, id, '10 minutes');
    await copiesOf(world, first, 2, { created_at: 'created_at' });
    const entry = { type: 'deposit', currency: 'USD', note: null, amountCents: 1_000 } as const;
    if (isOfWallet) await world.get(WalletBook).post({ ...entry, clientId: client.id, reference: randomUUID() });
    jest.spyOn(world.get(RailCaller), 'funding').mockResolvedValue([{ currency: 'USD', availableCents: 1_000 }]);
    const [told, releases] = [new AbortController(), world.get(ReleaseHeld)];
    const funded = releases.funded.bind(releases);
    const looks = jest.spyOn(releases, 'funded').mockImplementation((...whose) => {
      told.abort();
      return funded(...whose);
    });
    await world.get(ReleaseFunded)[work](told.signal);
    expect(looks).toHaveBeenCalledTimes(1);
    await world.get(ReleaseFunded)[work]();
    expect(new Set(looks.mock.calls.map(([, id]) => id)).size).toBe(3);
  });
});

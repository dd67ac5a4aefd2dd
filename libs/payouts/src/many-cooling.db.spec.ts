/** Very many payouts that wait for something that came, and for their payee's cool-down as well: they cost nobody else. */
import { randomUUID } from 'node:crypto';
import { type Client, KeepClients } from '#libs/clients';
import { type Payee, UpsertPayee } from '#libs/payees';
import { WalletBook } from '#libs/wallets';
import { copiesOf, loadedPayouts, type MoneyWorld, othersLike, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ChangePayout } from './use-cases/change-payout';

const FLOORS = { claim_rail: 1_000 };

describe('very many payouts that cool down', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const change = (client: Client, settings: Partial<Client>): Promise<unknown> =>
    world.db.inTransaction(() => world.get(KeepClients).change(client.id, settings));
  const coolsDown = (client: Client, { externalId }: Payee): Promise<Payee> =>
    world.get(UpsertPayee).run(client, { externalId, email: 'new@example.com' });
  /** The payees who are looked at from now on, each in a transaction of its own. */
  const looks = (): (() => string[]) => {
    const change = jest.spyOn(world.get(ChangePayout), 'withPayees');
    return () => [...new Set(change.mock.calls.flatMap(([ids]) => ids))];
  };

  test('keep nobody waiting whose payout may go on, although a wallet covers them', async () => {
    const busy = await world.client({ prepaid: true, coolDownSeconds: 86_400 });
    const cooling = await world.payee(busy);
    await copiesOf(world, await world.pay(busy, cooling, 900), 800, { created_at: 'created_at' });
    await coolsDown(busy, cooling);
    const entry = { type: 'deposit', currency: 'USD', note: null, amountCents: 900 } as const;
    await world.get(WalletBook).post({ ...entry, clientId: busy.id, reference: randomUUID() });
    const other = await world.client({ autoRelease: ['cap_exceeded_single'], caps: { singleCents: 500 } });
    const payee = await world.payee(other);
    const waiting = await world.pay(other, payee, 900);
    expect(await world.status(waiting.id)).toBe('held');
    await change(other, { caps: {} });

    const lookedAt = looks();
    await world.get(SelfReleaseJobs).release();
    expect(await world.status(waiting.id)).toBe('authorized');
    expect(lookedAt()).toEqual([payee.id]);
  });

  test('keep nobody waiting whose payouts reach a floor, although they would reach theirs together with others', async () => {
    const busy = await world.client({ floors: FLOORS, coolDownSeconds: 86_400 });
    const cooling = await world.payee(busy, { country: 'DE' });
    const old = await world.pay(busy, cooling, 900);
    await coolsDown(busy, cooling);
    const young = await world.pay(busy, cooling, 150);
    expect([await world.status(old.id), await world.status(young.id)]).toEqual(['held', 'held']);
    await othersLike(world, cooling, 800);
    const other = await world.client({ floors: FLOORS });
    const payee = await world.payee(other, { country: 'DE' });
    const waiting = await world.pay(other, payee, 900);
    expect(await world.status(waiting.id)).toBe('held');
    await change(other, { floors: { claim_rail: 500 } });

    const lookedAt = looks();
    await world.get(SelfReleaseJobs).sweep();
    expect(await world.status(waiting.id)).toBe('authorized');
    expect(await world.status(young.id)).toBe('held');
    expect(lookedAt()).toEqual([payee.id]);
  });

  test('are loaded with no new one, in a transaction that others share', async () => {
    const client = await world.client({ floors: { claim_rail: 2_500 }, coolDownSeconds: 86_400 });
    const payee = await world.payee(client, { country: 'DE' });
    await copiesOf(world, await world.pay(client, payee, 1), 2_000, { created_at: 'created_at' });
    await coolsDown(client, payee);
    await world.pay(client, payee, 480);
    const counts = loadedPayouts();
    // 2,501 together, of which 501 may leave
    for (let nth = 0; nth < 3; nth += 1) expect((await world.pay(client, payee, 7)).status).toBe('held');
    expect(counts.filter((count) => count > 1)).toEqual([]);
  });
});

/** What goes on by itself goes on for everybody else when one payout or payee cannot be written. */
import { type Client, ClientRegistry } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import { PayabilityJob, type Payee, PayeeReads } from '#libs/payees';
import { AskRail, SelfReleaseJobs } from '#libs/payouts';
import { accepted, type MoneyWorld, PAYABLE, settled, HeldReads, ReleaseHeld } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { startReconciledWorld } from '../testing/src';
import { ScanMovementsJob } from './jobs/scan-movements.job';

describe('one that cannot be written', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  beforeEach(() => {
    world.rail.reset();
    world.rail.answers = () => accepted();
  });
  afterEach(async () => {
    for (const table of ['payouts', 'payees'])
      await world.db.execute(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS spoiled`);
  });
  afterAll(() => world.stop());

  /** From now on the database refuses this change of it, and of no other. */
  const spoil = (table: string, id: string, unless: string) =>
    world.db.execute(`ALTER TABLE ${table} ADD CONSTRAINT spoiled CHECK (id <> '${id}' OR ${unless})`);
  const spoilHeld = (id: string | undefined) => spoil('payouts', id ?? '', `status = 'held'`);
  const statuses = (ids: string[]) => Promise.all(ids.map((id) => world.status(id)));
  const set = async ({ id }: Client, field: string, value: unknown): Promise<void> => {
    await world.db.execute(`UPDATE clients SET ${field} = $2 WHERE id = $1`, [id, value]);
    world.get(ClientRegistry).changed(id);
  };
  /** Held, each of a payee of its own, oldest first. */
  const held = async (client: Client, amountCents = 600): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push((await world.pay(client, await world.payee(client), amountCents)).id);
    expect(await statuses(ids)).toEqual(ids.map(() => 'held'));
    return ids;
  };
  const oneStays = ['held', 'authorized', 'authorized', 'authorized'];

  test('keeps no others below a floor that was lowered', async () => {
    const client = await world.client({ floors: { claim_rail: 1_000 } });
    const ids = await held(client);
    await set(client, 'floors', { claim_rail: 500 });
    await spoilHeld(ids[0]);
    expect(await world.get(SelfReleaseJobs).sweep()).toEqual({ released: 3 });
    expect(await statuses(ids)).toEqual(oneStays);
  });

  test('keeps no others over the turn of a day', async () => {
    const client = await world.client({ caps: { dailyCents: 500 } });
    const ids = await held(client);
    await set(client, 'caps', {});
    await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '2 days' WHERE id = ANY($1)`, [ids]);
    await spoilHeld(ids[0]);
    expect(await world.get(SelfReleaseJobs).release()).toMatchObject({ ofEarlierDays: 3 });
    expect(await statuses(ids)).toEqual(oneStays);
  });

  test('keeps no others from funds that came', async () => {
    const client = await world.client({ prepaid: true });
    const ids = await held(client);
    const entry = { type: 'deposit', currency: 'USD', reference: 'd', note: null, amountCents: 1_900 } as const;
    await world.get(WalletBook).post({ ...entry, clientId: client.id });
    await spoilHeld(ids[0]);
    await world.funded(client.id);
    expect(await statuses(ids)).toEqual(oneStays);
  });

  test('keeps no other client from funds that came', async () => {
    const clients = [await world.client({ prepaid: true }), await world.client({ prepaid: true })];
    const ids = [await held(clients[0] as Client), await held(clients[1] as Client)];
    const entry = { type: 'deposit', currency: 'USD', reference: 'd', note: null, amountCents: 2_400 } as const;
    for (const { id } of clients) await world.get(WalletBook).post({ ...entry, clientId: id });
    const reads = world.get(HeldReads);
    const order = (await reads.clientsShortOfFunds()).map(({ clientId }) => clientId);
    const places = clients.map(({ id }) => order.indexOf(id));
    const first = places.indexOf(Math.min(...places));
    const waiting = reads.waitingForWallet.bind(reads);
    jest.spyOn(reads, 'waitingForWallet').mockImplementation((clientId, ...what) => {
      if (clientId !== clients[first]?.id) return waiting(clientId, ...what);
      throw new DatabaseTrouble('timeout', new Error('canceling statement due to statement timeout'));
    });
    await world.get(SelfReleaseJobs).release();
    jest.restoreAllMocks();
    expect(new Set(await statuses(ids[first] ?? []))).toEqual(new Set(['held']));
    expect(new Set(await statuses(ids[1 - first] ?? []))).toEqual(new Set(['authorized']));
  });

  test('keeps no others from being asked about', async () => {
    const client = await world.client();
    const sent = async (): Promise<string> => {
      const { id, railKey } = await world.pay(client, await world.payee(client));
      await world.drive(id);
      world.rail.knows.set(railKey, settled());
      return id;
    };
    const ids = [await sent(), await sent()];
    await spoil('payouts', ids[0] ?? '', `status = 'submitted'`);
    // They are written together; each is asked about here for itself.
    const sender = world.get(AskRail);
    const lookUp = sender.lookUp.bind(sender);
    const before: Promise<unknown>[] = [];
    jest.spyOn(sender, 'lookUp').mockImplementation(async (payout) => {
      await Promise.allSettled(before);
      const asked = lookUp(payout);
      before.push(asked);
      return asked;
    });
    await world.get(ScanMovementsJob).now();
    jest.restoreAllMocks();
    expect(await statuses(ids)).toEqual(['submitted', 'paid']);
  });

  test('keeps no other payees from what their rail says of them', async () => {
    const client = await world.client();
    const payees: Payee[] = [];
    for (let n = 0; n < 2; n += 1) {
      const payee = await world.payee(client, { country: 'FR' });
      payees.push(payee);
      world.rail.accounts.set(payee.id, { ...PAYABLE, payable: false, kyc: 'pending' } as typeof PAYABLE);
      await world.adopt(client, payee, payee.id);
    }
    world.rail.accounts.clear();
    await spoil('payees', payees[0]?.id ?? '', 'NOT payable');
    await world.get(PayabilityJob).now();
    const reads = world.get(PayeeReads);
    const now = await Promise.all(payees.map(({ id }) => reads.find(client.id, id)));
    expect(now.map((payee) => payee?.payable)).toEqual([false, true]);
  });

  test('a sweep that comes to nothing is no reason not to release', async () => {
    const client = await world.client({ caps: { dailyCents: 500 } });
    const ids = await held(client);
    await set(client, 'caps', {});
    await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '2 days' WHERE id = ANY($1)`, [ids]);
    jest.spyOn(world.get(ReleaseHeld), 'accrued').mockRejectedValue(new Error('broken by the spec'));
    await world.get(SelfReleaseJobs).onSchedule();
    jest.restoreAllMocks();
    expect(await statuses(ids)).toEqual(ids.map(() => 'authorized'));
  });
});

/** What somebody would be woken for, and what stands beside it without being that. */
import type { Client } from '#libs/clients';
import { type Payout, waitsForPayee } from '#libs/payout-rules';
import { accepted, claimed, type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { StandingReads, type StandingRow } from './standing.reads';

const DAY = 86_400;
const HOUR = 3_600;

describe('how it stands', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeEach(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterEach(() => world.stop());

  const told = async (what: StandingRow['what']): Promise<StandingRow[]> =>
    (await new StandingReads(world.db).all()).filter((row) => row.what === what);
  const sent = async (country: string, answer: ReturnType<typeof accepted>, days: number): Promise<Payout> => {
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, await world.payee(client, { country }));
    await world.drive(id);
    await world.age(id, days * DAY);
    return world.payout(id);
  };
  /** In whole days, by whom the oldest one waits for. */
  const oldest = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await told('waits')).map(({ by, also, value }) => [`${by} ${also}`, Math.floor(value / DAY)]));

  test('tells payouts that wait for their payee apart from those that their rail has', async () => {
    const payouts = [
      ...[await sent('DE', accepted(), 1), await sent('IT', accepted(), 2)],
      ...[await sent('DE', waits(), 20), await sent('IT', waits(), 30)],
    ];
    expect(payouts.map(({ status }) => status)).toEqual(Array(4).fill('submitted'));
    expect(payouts.map(waitsForPayee)).toEqual([false, false, true, true]);
    expect(await oldest()).toEqual({ 'submitted rail': 2, 'submitted payee': 30 });
  });

  test('says that what a suspended client asked for waits for the client, until it was sent', async () => {
    await sent('DE', accepted(), 3);
    const { id } = await world.pay(client, await world.payee(client, { country: 'IT' }));
    await world.db.execute(`UPDATE payouts SET created_at = created_at - interval '2 days' WHERE id = $1`, [id]);
    expect(await oldest()).toEqual({ 'submitted rail': 3, 'authorized rail': 2 });
    await world.db.execute("UPDATE clients SET status = 'suspended' WHERE id = $1", [client.id]);
    expect(await oldest()).toEqual({ 'submitted rail': 3, 'authorized client': 2 });
  });

  test('counts by rail what waits for its own funds, and nothing that failed for good', async () => {
    await sent('DE', accepted(), 1);
    expect(await told('unfunded')).toEqual([]);
    const { id, provider } = await sent('DE', accepted(), 1);
    const ended = (kind: string): Promise<unknown> =>
      world.db.execute(
        `UPDATE payouts SET status = 'failed', failure_kind = $2, status_reason = 'rail_out_of_funds: empty' WHERE id = $1`,
        [id, kind],
      );
    await ended('transient');
    expect(await told('unfunded')).toEqual([{ what: 'unfunded', by: provider, also: '', value: 1 }]);
    await ended('permanent');
    expect(await told('unfunded')).toEqual([]);
  });

  test('counts what its payee claimed from then on', async () => {
    const { id, railKey } = await sent('DE', waits(), 25);
    world.rail.knows.set(railKey, claimed());
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', claimedAt: expect.any(Date) as Date });
    expect(await oldest()).toEqual({ 'submitted rail': 0 });
  });

  test('counts what prepaid clients overdrew, and no wallet that nothing looks at', async () => {
    const corrected = async (prepaid: boolean): Promise<void> => {
      const { id } = await world.client({ prepaid });
      const entry = {
        type: 'adjustment',
        currency: 'USD',
        amountCents: -500,
        reference: 'a mistake',
        note: null,
      } as const;
      await world.get(WalletBook).post({ ...entry, clientId: id });
    };
    await corrected(false);
    expect(await told('wallets_overdrawn')).toMatchObject([{ value: 0 }]);
    await corrected(true);
    expect(await told('wallets_overdrawn')).toMatchObject([{ value: 1 }]);
  });

  /** Due for an hour. */
  const due = (name: string, lane: string, count: number): Promise<unknown> =>
    world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane, run_at)
       SELECT $1, gen_random_uuid(), $2, now() - interval '1 hour' FROM generate_series(1, $3)`,
      [name, lane, count],
    );
  const oneTaken = (lane: string): Promise<unknown> =>
    world.db.execute(
      `UPDATE jobs SET lease_token = gen_random_uuid(), run_at = now() + interval '50 seconds'
       WHERE entity_id = (SELECT entity_id FROM jobs WHERE lane = $1 LIMIT 1)`,
      [lane],
    );
  const late = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await told('jobs_late')).map(({ by, also, value }) => [`${by} ${also}`, value]));

  test('tells events that wait for their own receiver apart from those that wait for a worker', async () => {
    await world.db.execute('DELETE FROM jobs');
    await due('events.announce', 'slow', 2);
    expect(Object.keys(await late())).toEqual(['events.announce worker']);
    await oneTaken('slow');
    const ofSlow = await late();
    expect(Object.keys(ofSlow)).toEqual(['events.announce receiver']);
    expect(ofSlow['events.announce receiver']).toBeGreaterThanOrEqual(HOUR);
    await due('events.announce', 'another', 1);
    expect(Object.keys(await late()).sort()).toEqual(['events.announce receiver', 'events.announce worker']);
  });

  test('says of other work that it waits for a worker, whatever of it is under way', async () => {
    await world.db.execute('DELETE FROM jobs');
    await due('payout.drive', 'mock', 2);
    await oneTaken('mock');
    expect(Object.keys(await late())).toEqual(['payout.drive worker']);
  });
});

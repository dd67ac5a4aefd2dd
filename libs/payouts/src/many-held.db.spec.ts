/** Very many payouts of one payee that are held: they cost nobody else, and go on in portions, oldest first. */
import { randomUUID } from 'node:crypto';
import { type Client, ClientRegistry } from '#libs/clients';
import { CommitUnknown, Db } from '#libs/db';
import { holding } from '#libs/db/testing';
import type { Payee } from '#libs/payees';
import { HELD_IN_DISPUTE, type Payout } from '#libs/payout-rules';
import { WalletBook } from '#libs/wallets';
import { copiesOf, loadedPayouts, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { ChangePayout } from './use-cases/change-payout';
import { ReleaseFunded } from './use-cases/release-funded';
import { ReleaseHeld } from './use-cases/release-held';

describe('many held payouts of one payee', () => {
  let world: MoneyWorld;
  let held: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(held.map((letGo) => letGo()));
    held = [];
  });
  afterAll(() => world.stop());

  const set = async ({ id }: Client, field: string, value: unknown): Promise<void> => {
    await world.db.execute(`UPDATE clients SET ${field} = $2 WHERE id = $1`, [id, value]);
    world.get(ClientRegistry).changed(id);
  };
  /** The balance has at least as much. */
  const copies = async (payout: Payout, count: number, columns: Record<string, string> = {}): Promise<void> => {
    await copiesOf(world, payout, count, columns);
    await world.db.execute(
      `UPDATE balances SET held_below_minimum_cents = held_below_minimum_cents * ($2::int + 1) WHERE payee_id = $1`,
      [payout.payeeId, count],
    );
    await world.db.execute(
      `INSERT INTO payout_trail (id, payout_id, sequence, type, to_status, actor, created_at)
       SELECT gen_random_uuid(), id, sequence, 'block', status, 'client', now() FROM payouts
       WHERE NOT EXISTS (SELECT FROM payout_trail WHERE payout_id = payouts.id)`,
    );
  };
  const yesterday = async ({ id }: Payee) => {
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - interval '1 day', authorized_on = authorized_on - 1 WHERE payee_id = $1`,
      [id],
    );
    await world.db.execute('UPDATE balances SET day = day - 1 WHERE payee_id = $1', [id]);
  };
  /** Payouts in the order of age. */
  const all = ({ id }: Payee, currency = 'USD') =>
    world.db.rows<Payout & { lines: number }>(
      `SELECT payouts.*, (SELECT count(*)::int FROM payout_trail WHERE payout_id = payouts.id) AS lines
       FROM payouts WHERE payee_id = $1 AND currency = $2 ORDER BY created_at, id`,
      [id, currency],
    );
  const statuses = (payouts: Payout[]): string => payouts.map(({ status }) => status[0]).join('');
  /** Somebody holds it until the spec is over: whoever locked it as well would wait. */
  const hold = async ({ id }: Payout): Promise<void> => {
    held.push(await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR UPDATE', [id]));
  };

  test('below a floor: a new one loads none of them, and asks once for what they are together', async () => {
    const client = await world.client({ caps: { singleCents: 500 } });
    const payee = await world.payee(client);
    const first = await world.pay(client, payee, 1);
    await copies(first, 90);
    await copies(first, 98, { currency: `'EUR'` });
    let statements = 0;
    for (const name of ['rows', 'execute', 'write'] as const) {
      const ask = Db.prototype[name] as (sql: string, values?: unknown[]) => Promise<never>;
      jest.spyOn(Db.prototype, name).mockImplementation(function (this: Db, sql: string, values?: unknown[]) {
        statements += 1;
        return ask.call(this, sql, values);
      });
    }
    await world.pay(client, payee, 501);
    const ofAnother = statements;
    statements = 0;
    await world.pay(client, payee, 1);
    expect(statements).toBe(ofAnother + 1);
    jest.restoreAllMocks();
    const counts = loadedPayouts();
    expect(await world.pay(client, payee, 1)).toMatchObject({ status: 'held' });
    expect(counts).toEqual([]);
  });

  test('the one that tips a floor takes along those of its group, and waits for no other', async () => {
    const client = await world.client();
    const payee = await world.payee(client);
    const first = await world.pay(client, payee, 1);
    await copies(first, 90);
    await copies(first, 98, { currency: `'EUR'` });
    const [other] = await all(payee, 'EUR');
    await hold(other as Payout);
    const counts = loadedPayouts();
    expect(await world.pay(client, payee, 9)).toMatchObject({ status: 'authorized' });
    expect(counts).toEqual([92]);
    expect(statuses(await all(payee))).toBe('a'.repeat(92));
    expect(statuses(await all(payee, 'EUR'))).toBe('h'.repeat(98));
  });

  test('a floor that was raised and lowered: the sweep releases all in portions, and leaves none below the floor', async () => {
    const client = await world.client({ floors: { claim_rail: 10_000 } });
    const payee = await world.payee(client);
    const first = await world.pay(client, payee, 1);
    await copies(first, 2_588);
    await set(client, 'floors', {});
    // A transaction that others share is no place for all of them.
    expect(await world.pay(client, payee, 1)).toMatchObject({ status: 'held' });
    const counts = loadedPayouts();
    expect(await world.get(SelfReleaseJobs).sweep()).toEqual({ released: 2_590 });
    expect(counts).toEqual([...Array<number>(9).fill(250), 340]);
    expect(statuses(await all(payee))).toBe('a'.repeat(2_590));
  });

  test('a day that is over: what fits goes on, oldest first, and what does not is left as it is', async () => {
    const client = await world.client({ caps: { dailyCents: 1_000 } });
    const payee = await world.payee(client);
    await world.pay(client, payee, 1_000);
    const waiting = await world.pay(client, payee, 900);
    await copies(waiting, 1_000, {
      amount_cents: 'CASE WHEN nth IN (700, 900) THEN 100 WHEN nth = 5 THEN 101 ELSE 900 END',
    });
    await yesterday(payee);
    const before = await all(payee);
    const counts = loadedPayouts();
    expect(await world.get(ReleaseHeld).ofEarlierDays()).toBe(2);
    // 250 of those that fit by themselves, and then what fits into the rest of the day.
    expect(counts).toEqual([250, 2]);
    const after = await all(payee);
    const changed = after.filter(({ status }, nth) => status !== before[nth]?.status);
    expect(changed.map(({ amountCents }) => amountCents)).toEqual([900, 100]);
    expect(changed.map(({ id }) => before.findIndex((payout) => payout.id === id))).toEqual([1, 701]);
    const rest = (payouts: Payout[]) => payouts.filter(({ id }) => !changed.some((one) => one.id === id));
    expect(rest(after)).toEqual(rest(before));
    counts.length = 0;
    const locking = jest.spyOn(world.get(ChangePayout), 'withPayees');
    expect(await world.get(ReleaseHeld).ofEarlierDays()).toBe(0);
    expect(counts).toEqual([]);
    expect(locking).not.toHaveBeenCalled();
    await yesterday(payee);
    expect(await world.get(ReleaseHeld).ofEarlierDays()).toBe(2);
    const gone = (await all(payee)).flatMap(({ status }, nth) => (status === 'held' ? [] : [nth]));
    expect(gone).toEqual([0, 1, 2, 701, 901]);
  });

  test('those that stay, for their address has changed, keep no younger ones', async () => {
    const client = await world.client({ caps: { dailyCents: 100_000 }, coolDownSeconds: 3_600 });
    const payee = await world.payee(client);
    await world.pay(client, payee, 100_000);
    const waiting = await world.pay(client, payee, 100);
    await copies(waiting, 299, { created_at: `created_at + nth * interval '1 millisecond' - interval '1 hour'` });
    await copies(waiting, 3, { created_at: `created_at + nth * interval '1 hour'` });
    await yesterday(payee);
    await world.db.execute(`UPDATE payees SET email_changed_at = now() + interval '1 minute' WHERE id = $1`, [
      payee.id,
    ]);
    expect(await world.get(ReleaseHeld).ofEarlierDays()).toBe(3);
    expect(statuses((await all(payee)).filter(({ amountCents }) => amountCents === 100))).toBe(`${'h'.repeat(300)}aaa`);
  });

  describe('several payees over the turn of a day', () => {
    let client: Client;
    let payees: Payee[];
    const inAnyOrder = (ids: unknown[]): string[] => ids.map(String).sort();
    const ofDay = (payee: Payee) => all(payee).then((payouts) => statuses(payouts).slice(1));
    beforeEach(async () => {
      await world.db.execute(`UPDATE clients SET status = 'suspended'`); // those of other specs
      client = await world.client({ caps: { dailyCents: 1_000 } });
      payees = [];
      for (let nth = 0; nth < 4; nth += 1) {
        const payee = await world.payee(client);
        payees.push(payee);
        await world.pay(client, payee, 1_000);
        await world.pay(client, payee, 500);
        await yesterday(payee);
      }
    });

    /** Whose payees' transactions are lost; answers whose were begun, in order. */
    const losing = (which: (payeeId: string) => boolean): string[] => {
      const change = world.get(ChangePayout);
      const withPayees = change.withPayees.bind(change);
      const begun: string[] = [];
      jest.spyOn(change, 'withPayees').mockImplementation(async ([payeeId = ''], work) => {
        if (begun.at(-1) !== payeeId) begun.push(payeeId);
        if (which(payeeId)) throw new CommitUnknown(new Error('Query read timeout'));
        return withPayees([payeeId], work);
      });
      return begun;
    };

    test('one whose transaction the database loses keeps no others, nor what comes after, and comes last', async () => {
      const [first, ...others] = payees.map(({ id }) => id);
      const begun = losing((payeeId) => payeeId === first);
      const funded = jest.spyOn(world.get(ReleaseFunded), 'ofEveryClient');
      expect(await world.get(SelfReleaseJobs).release()).toMatchObject({ ofEarlierDays: 3 });
      expect(inAnyOrder(begun)).toEqual(inAnyOrder([first, ...others]));
      expect(funded).toHaveBeenCalledTimes(1);
      for (const payee of payees.slice(1)) {
        await yesterday(payee);
        await world.db.execute(
          `UPDATE payouts SET status = 'held', status_reason = 'cap_exceeded_daily: x' WHERE payee_id = $1 AND amount_cents = 500`,
          [payee.id],
        );
      }
      begun.length = 0;
      jest.restoreAllMocks();
      const again = losing(() => false);
      expect(await world.get(SelfReleaseJobs).release()).toMatchObject({ ofEarlierDays: 4 });
      expect(inAnyOrder(again)).toEqual(inAnyOrder([...others, first]));
      expect(again.at(-1)).toBe(first);
      expect(await Promise.all(payees.map(ofDay))).toEqual(['a', 'a', 'a', 'a']);
    });

    test('what meets the next one too is everybody’s: the sweep ends, and what comes after is tried', async () => {
      const begun = losing(() => true);
      const funded = jest.spyOn(world.get(ReleaseFunded), 'ofEveryClient');
      await expect(world.get(SelfReleaseJobs).release()).rejects.toThrow('Query read timeout');
      expect(begun).toHaveLength(2);
      expect(funded).toHaveBeenCalledTimes(1);
      jest.restoreAllMocks();
      const again = losing((payeeId) => begun.includes(payeeId));
      await expect(world.get(SelfReleaseJobs).release()).rejects.toThrow('Query read timeout');
      expect(again).toHaveLength(4);
      expect(inAnyOrder(again.slice(2))).toEqual(inAnyOrder(begun));
      expect(await Promise.all(payees.map(ofDay))).toEqual(payees.map(({ id }) => (begun.includes(id) ? 'h' : 'a')));
    });
  });

  test('funds that came: the one that they are for is locked, and no other', async () => {
    const client = await world.client({ prepaid: true });
    const payee = await world.payee(client);
    const first = await world.pay(client, payee, 900);
    await copies(first, 300);
    const entry = { type: 'deposit', currency: 'USD', note: null, amountCents: 900 } as const;
    await world.get(WalletBook).post({ ...entry, clientId: client.id, reference: randomUUID() });
    await hold((await all(payee))[9] as Payout);
    const counts = loadedPayouts();
    expect(await world.get(ReleaseFunded).ofClient(client.id)).toEqual({ released: 1, isMore: false });
    expect(counts).toEqual([1]);
    expect(statuses(await all(payee))).toBe(`a${'h'.repeat(300)}`);
  });

  test('a difference that was closed: those that were held for it are locked, in portions, and no other', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    const first = await world.pay(client, payee, 500);
    await world.db.execute(
      `UPDATE payouts SET status = 'held', status_reason = $2, authorized_on = NULL, failure_kind = 'transient' WHERE id = $1`,
      [first.id, HELD_IN_DISPUTE],
    );
    await copies(first, 300);
    await copies(first, 1, { status_reason: `'route_blocked: for another cause'`, currency: `'EUR'` });
    await hold((await all(payee, 'EUR'))[0] as Payout);
    const counts = loadedPayouts();
    expect(await world.get(ReleaseHeld).undisputed()).toBe(301);
    expect(counts).toEqual([250, 51]);
    expect(statuses(await all(payee))).toBe('a'.repeat(301));
    expect(statuses(await all(payee, 'EUR'))).toBe('h');
  });
});

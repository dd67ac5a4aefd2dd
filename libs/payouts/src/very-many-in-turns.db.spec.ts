/**
 * What schedules look at for all clients, each half minute: however many payouts one client has held for a difference, a day or funds, a statement
 * reads no more of them than its look goes, and what others have is found beside them.
 */
import { HELD_IN_DISPUTE } from '#libs/payout-rules';
import { mostRowsOf } from '#libs/db/testing';
import { copiesOf, HeldReads, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReleaseHeld } from './use-cases/release-held';

const MANY = 12_000;
/** Payouts of a client in one look for differences that were closed. */
const TURN = 2_500;
const READ_AT_MOST = 2 * TURN;
const ANY = { cents: 1_000_000, without: [] };

describe('payouts that one client has very many of', () => {
  let world: MoneyWorld;
  let clientId: string;
  let provider: string;
  let asked: jest.SpyInstance;
  beforeAll(async () => {
    world = await startMoneyWorld();
    const client = await world.client();
    clientId = client.id;
    const first = await world.pay(client, await world.payee(client), 100);
    provider = first.provider ?? '';
    await copiesOf(world, first, MANY - 1);
  }, 120_000);
  beforeEach(() => {
    asked = jest.spyOn(world.db, 'rows');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const held = async (reason: string, shortOf: string | null): Promise<void> => {
    await world.db.execute(
      `UPDATE payouts SET status = 'held', status_reason = $2, short_of = $3, updated_at = now() - interval '1 day' WHERE client_id = $1`,
      [clientId, reason, shortOf],
    );
    await world.db.execute('VACUUM ANALYZE payouts');
  };
  const read = async (): Promise<number> => {
    const [sql, values] = asked.mock.calls.at(-1) as [string, unknown[]];
    return mostRowsOf(world.db, sql, values);
  };

  test('in dispute: each look goes on behind the last one, and comes round', async () => {
    await held(HELD_IN_DISPUTE, null);
    const reads = world.get(HeldReads);
    const last = new Map<string, string>();
    const looks: string[][] = [];
    for (let look = 0; look * TURN < MANY; look += 1) {
      const [turn] = await reads.turnsInDispute(last);
      expect(await read()).toBeLessThan(READ_AT_MOST);
      if (!turn) throw new Error('There is no turn.');
      looks.push((await reads.undisputed(turn)).flatMap(({ ids }) => ids));
      expect(await read()).toBeLessThan(READ_AT_MOST);
      if (turn.until) last.set(clientId, turn.until);
      else last.delete(clientId);
    }
    expect(looks.map(({ length }) => length)).toEqual([TURN, TURN, TURN, TURN, MANY - 4 * TURN]);
    expect(new Set(looks.flat()).size).toBe(MANY);
    expect(last.size).toBe(0);
  }, 120_000);

  test('in dispute, that another client has one of beside them: both have their turn', async () => {
    const small = await world.client();
    const { id } = await world.pay(small, await world.payee(small), 100);
    await world.db.execute(`UPDATE payouts SET status = 'held', status_reason = $2 WHERE id = $1`, [
      id,
      HELD_IN_DISPUTE,
    ]);
    const undisputed = jest.spyOn(world.get(HeldReads), 'undisputed');
    const lock = jest.spyOn(world.get(HeldReads), 'lock').mockResolvedValue([]);
    for (let look = 0; look < 2; look += 1) await world.get(ReleaseHeld).undisputed({ mostOfEach: TURN });
    const turns = undisputed.mock.calls.map(([turn]) => turn);
    expect(turns.filter((turn) => turn.clientId === small.id).map(({ until }) => until)).toEqual([null, null]);
    const [first, second] = turns.filter((turn) => turn.clientId === clientId);
    expect(second?.after).toBe(first?.until);
    expect(lock.mock.calls.flatMap(([, ids]) => ids)).toContain(id);
  });

  test('that wait for another day: each look is as long', async () => {
    await held('cap_exceeded_daily', null);
    const reads = world.get(HeldReads);
    const [turn] = await reads.turnsOverTheDay(new Map(), clientId);
    expect(await read()).toBeLessThan(READ_AT_MOST);
    if (!turn) throw new Error('There is no turn.');
    expect(await reads.ofEarlierDays(turn)).toMatchObject([{ clientId, size: TURN }]);
    expect(await read()).toBeLessThan(READ_AT_MOST);
  }, 120_000);

  test('that wait for a wallet: the oldest are read, and no more', async () => {
    await held('insufficient_funds', 'wallet');
    expect(await world.get(HeldReads).waitingForWallet(clientId, 'USD', ANY)).toHaveLength(200);
    expect(await read()).toBeLessThan(READ_AT_MOST);
  }, 120_000);

  test('that wait for a rail: the oldest are read, and no more', async () => {
    await held('insufficient_funds', 'rail');
    expect(await world.get(HeldReads).waitingForRail(provider, 'USD', ANY)).toHaveLength(200);
    expect(await read()).toBeLessThan(READ_AT_MOST);
  }, 120_000);
});

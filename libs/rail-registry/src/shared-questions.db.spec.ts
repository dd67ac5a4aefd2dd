/** What many wait for together is asked once, by whoever came first: nobody else waits for the share of the connections that one has. */
import { onBehalf } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { loneRail, type LoneRail } from '../testing/lone-rail';
import { DestinationCaller } from './destination-caller';

describe('a question that clients share, begun by one whose changes wait for what somebody holds', () => {
  let scratch: ScratchDb;
  const ids = Array.from({ length: 40 }, (_, id) => id);
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE things (id int PRIMARY KEY)');
    await scratch.db.execute('INSERT INTO things SELECT id FROM generate_series(0, 99) AS id');
  });
  afterAll(() => scratch.drop());

  const aProcess = (): LoneRail => {
    const { db } = scratch;
    const unused = async (): Promise<never> => Promise.reject(new Error('not asked here'));
    const rail = {
      verify: async () => ({ kind: 'works', account: 'acct_1', mode: 'live' }),
      arrivesAs: async () => ({ kind: 'arrives', coin: 'USDC', network: 'Polygon' }),
      advance: unused,
      checkDestination: unused,
    };
    return loneRail(rail, {
      db: {
        execute: db.execute.bind(db),
        row: db.row.bind(db),
        rows: db.rows.bind(db),
        assertNoTransaction: db.assertNoTransaction.bind(db),
      },
    });
  };
  const change = (id: number): Promise<number> =>
    scratch.db.inTransaction(() => scratch.db.execute('UPDATE things SET id = id WHERE id = $1', [id]));
  const somebodyWaits = async (): Promise<void> => {
    const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await scratch.db.rows(sql)).length < 2) await new Promise((resolve) => setImmediate(resolve));
  };

  /** What the other client is answered within a second, while forty changes of the first one wait. */
  async function meanwhile<T>(ask: () => Promise<T>): Promise<T | 'still waiting'> {
    let all: Promise<unknown> = Promise.resolve();
    let told: T | 'still waiting' = 'still waiting';
    await scratch.db.inTransaction(async () => {
      await scratch.db.rows('SELECT FROM things WHERE id = ANY($1) FOR UPDATE', [ids]);
      await scratch.db.outsideTransaction(async () => {
        all = Promise.all(ids.map((id) => onBehalf('loud', () => change(id))));
        await somebodyWaits();
        const ofLoud = onBehalf('loud', ask);
        const late = new Promise<'still waiting'>((resolve) => setTimeout(() => resolve('still waiting'), 1_000));
        told = await Promise.race([onBehalf('quiet', ask), late]);
        all = Promise.all([all, ofLoud]);
      });
    });
    await all;
    return told;
  }

  test('whether the credentials of a rail work keeps no other client waiting', async () => {
    const { calls } = aProcess();
    expect(await meanwhile(() => calls.isVerified('toy'))).toBe(true);
  });

  test('what arrives at an address keeps no page of another client waiting', async () => {
    const { calls } = aProcess();
    await calls.isVerified('toy');
    const destinations = new DestinationCaller(calls);
    expect(await meanwhile(() => destinations.arrivesAs('toy'))).toEqual({ coin: 'USDC', network: 'Polygon' });
  });
});

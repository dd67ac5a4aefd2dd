/** What a provider wants in the way of rest is heard in a call for one client, and is for all processes: it waits for nobody's share. */
import { onBehalf } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { setLogLevel } from '#libs/telemetry';
import { RailIdentity } from './rail-identity';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

describe('a lane that is to be closed, heard in a call for a client whose changes wait for what somebody holds', () => {
  let scratch: ScratchDb;
  const ids = Array.from({ length: 40 }, (_, id) => id);
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE things (id int PRIMARY KEY)');
    await scratch.db.execute('INSERT INTO things SELECT id FROM generate_series(0, 99) AS id');
  });
  afterAll(() => scratch.drop());

  const change = (id: number): Promise<number> =>
    scratch.db.inTransaction(() => scratch.db.execute('UPDATE things SET id = id WHERE id = $1', [id]));
  const somebodyWaits = async (): Promise<void> => {
    const sql = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while ((await scratch.db.rows(sql)).length < 2) await new Promise((resolve) => setImmediate(resolve));
  };
  const lanes = (): RailLanes => new RailLanes(scratch.db);

  test.each<[string, (rail: string) => Promise<unknown>]>([
    [
      'its provider wants to be left alone',
      (rail) =>
        new RailPauses({ traits: () => null } as unknown as Rails, lanes()).heard(rail, 'submit', {
          ...{ kind: 'not_now', afterSeconds: 600, detail: 'too many calls' },
        }),
    ],
    [
      'its provider does not know our key',
      (rail) => new RailIdentity(scratch.db, lanes()).refused(rail, 'no such key'),
    ],
  ])('is closed for all others meanwhile: %s', async (rail, hear) => {
    let all: Promise<unknown> = Promise.resolve();
    let isClosed = false;
    await scratch.db.inTransaction(async () => {
      await scratch.db.rows('SELECT FROM things WHERE id = ANY($1) FOR UPDATE', [ids]);
      await scratch.db.outsideTransaction(async () => {
        all = Promise.all(ids.map((id) => onBehalf('loud', () => change(id))));
        await somebodyWaits();
        const heard = onBehalf('loud', () => hear(rail));
        await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, 1_000))]);
        isClosed = (await lanes().closure(rail)) !== null;
        all = Promise.all([all, heard]);
      });
    });
    await all;
    expect(isClosed).toBe(true);
  });
});

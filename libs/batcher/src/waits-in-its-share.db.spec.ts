/** Whatever waits beside shared work for what somebody holds does so within the share of its client (ADR 126). */
import { onBehalf } from '#libs/db';
import { holding, scratchDb, type ScratchDb } from '#libs/db/testing';
import { Batcher } from './batcher';
import { FairSlots } from './fair-slots';
import { FreeFirst } from './free-first';

const CLIENTS = ['ada', 'ben', 'cy'];
const KINDS = ['payouts', 'news', 'attempts', 'letters'];

describe('work of several kinds and clients that waits', () => {
  let scratch: ScratchDb;
  let letGo: () => Promise<unknown>;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute('CREATE TABLE notes (id int)');
    await scratch.db.execute('INSERT INTO notes VALUES (1)');
    letGo = await holding(scratch.db, 'SELECT FROM notes FOR UPDATE', []);
  });
  afterAll(async () => {
    await letGo();
    await scratch.drop();
  });

  const workOf = (kind: string): ((client: string) => Promise<string>) => {
    const limits = { laneOf: (client: string) => client, slots: new FairSlots({ atOnce: 6, perLane: 2 }) };
    const waiting = async (clients: string[]): Promise<string[]> => {
      await scratch.db.rows('SELECT FROM notes FOR UPDATE');
      return clients.map(() => kind);
    };
    const free = async (clients: string[]): Promise<(string | 'busy')[]> => clients.map(() => 'busy');
    const freeFirst = new FreeFirst<string, string>({ free, waiting }, limits);
    const quick = new Batcher(free, { most: 64, atOnce: 1, laneOf: limits.laneOf });
    return (client) => freeFirst.run(client, quick);
  };

  test('leaves connections to others', async () => {
    const ended: string[] = [];
    const end = (how: string) => () => void ended.push(how);
    const works = KINDS.map(workOf);
    const waiting = CLIENTS.flatMap((client) => works.map((work) => work(client).then(end('done'), end('failed'))));
    while ((await scratch.db.rows(LOCKED)).length < CLIENTS.length) await new Promise((again) => setImmediate(again));
    await onBehalf('quiet', () => scratch.db.rows('SELECT 1'));
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
    expect(ended).toEqual(waiting.map(() => 'done'));
  });
});

const LOCKED = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

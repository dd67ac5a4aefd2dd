import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  backUpCluster,
  type EmbeddedPostgres,
  refuseWhileItRuns,
  restoreCluster,
  startEmbeddedPostgres,
} from './index';

const folder = mkdtempSync(join(tmpdir(), 'embedded-backup-'));
const dataDir = join(folder, 'data');
const ROUNDS_BEFORE = 50;

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function query<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = await connected(url);
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Money goes from one account to the other, one cent a commit, until it is told to stop. Again and again the server writes down
 * what it has in memory, begins another file of its log and takes back old ones: a copy that goes by none of that is torn.
 */
const MOVE = `
  CREATE TABLE accounts (name text PRIMARY KEY, cents int NOT NULL);
  CREATE TABLE moves (id int GENERATED ALWAYS AS IDENTITY, filler text);
  CREATE TABLE stop (yes bool);
  INSERT INTO accounts VALUES ('from', 1000000), ('to', 0);
  CREATE PROCEDURE move_until_stopped() LANGUAGE plpgsql AS $$
    DECLARE moved int := 0;
    BEGIN
      WHILE NOT EXISTS (SELECT FROM stop) LOOP
        UPDATE accounts SET cents = cents + CASE name WHEN 'from' THEN -1 ELSE 1 END;
        INSERT INTO moves (filler) VALUES (repeat(md5(random()::text), 20));
        COMMIT;
        moved := moved + 1;
        IF moved % 40 = 0 THEN
          CHECKPOINT;
          PERFORM pg_switch_wal();
          COMMIT;
        END IF;
      END LOOP;
    END $$`;
const STANDING = `SELECT (SELECT count(*)::int FROM moves) AS moves,
  (SELECT sum(cents)::int FROM accounts) AS sum, (SELECT cents FROM accounts WHERE name = 'to') AS moved`;
interface Standing {
  moves: number;
  sum: number;
  moved: number;
}

async function standing(url: string): Promise<Standing> {
  return (await query<Standing>(url, STANDING))[0] as Standing;
}

async function restored(from: string): Promise<{ aside: string | null; standing: Standing }> {
  let found: Standing | undefined;
  const aside = await restoreCluster(dataDir, from, async (url) => void (found = await standing(url)));
  return { aside, standing: found as Standing };
}

/** A data directory, and where the copy goes in it. */
function placeFor(name: string): { from: string; copy: string } {
  const from = join(folder, name);
  mkdirSync(from);
  return { from, copy: join(from, 'postgres') };
}

afterAll(() => rmSync(folder, { recursive: true }));

describe('a copy of the embedded database', () => {
  const { from, copy } = placeFor('copy');
  let atItsBegin: Standing;
  let atTheEnd: Standing;

  beforeAll(async () => {
    const postgres = await startEmbeddedPostgres({ dataDir, fast: true });
    await query(postgres.url, MOVE);
    const mover = await connected(postgres.url);
    const moving = mover.query('CALL move_until_stopped()');
    moving.catch(() => undefined); // should a backup fail, that is what to tell
    const enough = async (): Promise<boolean> => (await standing(postgres.url)).moves > ROUNDS_BEFORE;
    while (!(await enough()));
    atItsBegin = await backUpCluster(dataDir, copy, standing);
    const atItsEnd = await standing(postgres.url);
    while ((await standing(postgres.url)).moves <= atItsEnd.moves);
    await query(postgres.url, 'INSERT INTO stop VALUES (true)');
    await moving;
    await mover.end();
    atTheEnd = await standing(postgres.url);
    expect(() => refuseWhileItRuns(dataDir)).toThrow('is in use. Stop the service');
    await expect(restored(from)).rejects.toThrow('is in use. Stop the service');
    await postgres.stop();
  });

  it('is made while it is written to, and holds no half of anything', async () => {
    const result = await restored(from);
    expect(result.aside).toBe(join(folder, 'data/postgres.before-restore'));
    expect(result.standing).toMatchObject({ sum: 1_000_000, moved: result.standing.moves });
    expect(result.standing.moves).toBeGreaterThanOrEqual(atItsBegin.moves);
    expect(result.standing.moves).toBeLessThan(atTheEnd.moves);
  });

  it('is made of a database that nobody runs, too, and put into an empty place', async () => {
    const second = placeFor('second');
    const seen = await backUpCluster(dataDir, second.copy, standing);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    expect(await restored(second.from)).toEqual({ aside: null, standing: seen });
  });

  it('leaves all as it was if it cannot be used', async () => {
    const { from: whole, copy: third } = placeFor('third');
    const seen = await backUpCluster(dataDir, third, standing);
    const before = readdirSync(dataDir).sort();
    writeFileSync(join(third, 'PG_VERSION'), '12\n');
    await expect(restored(whole)).rejects.toThrow('The backup is of PostgreSQL 12, and this is PostgreSQL 18');
    writeFileSync(join(third, 'PG_VERSION'), readFileSync(join(dataDir, 'postgres/PG_VERSION')));
    const label = readFileSync(join(third, 'backup_label'), 'utf8');
    // Without its end of the log nobody can say whether all of it is there.
    for (const segment of readdirSync(join(third, 'pg_wal')))
      rmSync(join(third, 'pg_wal', segment), { recursive: true });
    await expect(restored(whole)).rejects.toThrow('did not start');
    expect(label).toContain('START WAL LOCATION');
    expect(readdirSync(dataDir).sort()).toEqual(before);
    expect(existsSync(third)).toBe(true);
    const postgres = await startEmbeddedPostgres({ dataDir, fast: true });
    expect(await standing(postgres.url)).toEqual(seen);
    await postgres.stop();
  });

  it('takes the place once it is ready, and of none that was started meanwhile', async () => {
    const fourth = placeFor('fourth');
    await backUpCluster(dataDir, fourth.copy, standing);
    const before = readdirSync(dataDir).sort();
    const place = join(dataDir, 'postgres');
    const { ino } = statSync(place);
    const makeReady = async (): Promise<void> => {
      expect(statSync(place).ino).toBe(ino);
      service = await startEmbeddedPostgres({ dataDir, fast: true });
    };
    let service: EmbeddedPostgres | undefined;
    await expect(restoreCluster(dataDir, fourth.from, makeReady)).rejects.toThrow('is in use. Stop the service');
    expect(service?.owned).toBe(true);
    await service?.stop();
    expect(readdirSync(dataDir).sort()).toEqual(before);
    expect(statSync(place).ino).toBe(ino);
  });

  it('is waited for by whoever starts where a restore was cut off between its last two steps', async () => {
    const cutOff = placeFor('cut-off');
    await backUpCluster(dataDir, join(cutOff.from, 'postgres.before-restore'), standing);
    await expect(startEmbeddedPostgres({ dataDir: cutOff.from })).rejects.toThrow(
      'If a restore was interrupted, run it again',
    );
    expect(readdirSync(cutOff.from)).toEqual(['postgres.before-restore']);
    const again = placeFor('again');
    const seen = await backUpCluster(dataDir, again.copy, standing);
    expect(await restoreCluster(cutOff.from, again.from, () => Promise.resolve())).toBeNull();
    const postgres = await startEmbeddedPostgres({ dataDir: cutOff.from, fast: true });
    expect(await standing(postgres.url)).toEqual(seen);
    await postgres.stop();
  });

  it('is not made of nothing', async () => {
    const nowhere = mkdtempSync(join(folder, 'nowhere-'));
    await expect(backUpCluster(nowhere, join(folder, 'nothing'), standing)).rejects.toThrow('There is no database in');
  });
});

/**
 * Receivers keep the highest `sequence` that they have heard of each payout, and leave aside what is not above it. What they heard in the time
 * that a restore lost may be higher than what the restored database counts next.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';
import { dataSourceOptions, migrate, MIGRATIONS } from '#libs/db';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { EventOutbox } from '#libs/events';
import type { Jobs } from '#libs/jobs';

const ROOT = join(__dirname, '../..');
const NOBODY_TO_TELL = { add: () => Promise.resolve() } as unknown as Jobs;
const THE_NEWEST_INT = 2 ** 31 - 1;

interface Told {
  sequence: number;
  said: number;
}

describe('the sequence of events, after a restore', () => {
  let scratch: ScratchDb;
  let clientId: string;
  beforeEach(async () => {
    scratch = await scratchDb();
    clientId = randomUUID();
    await scratch.db.execute(
      `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency)
       VALUES ($1, 'c', true, 1, '{}', '{}', false, 'USD')`,
      [clientId],
    );
  });
  afterEach(() => scratch.drop());

  /** The step of this number of a payout is told of. Returns what receivers go by. */
  async function heard(entityId: string, step: number): Promise<Told> {
    const event = { clientId, type: 'payout.status' as const, entityId, sequence: step, subscribed: false };
    await new EventOutbox(scratch.db, NOBODY_TO_TELL).append([{ ...event, payload: { status: 'paid' } }]);
    return (await scratch.db.row<Told>(
      `SELECT sequence, (payload ->> 'sequence')::int AS said FROM events WHERE entity_id = $1 ORDER BY created_at DESC LIMIT 1`,
      [entityId],
    )) as Told;
  }

  function restored(): void {
    const env = { PATH: process.env.PATH, DATABASE_URL: scratch.url, NO_COLOR: '1' };
    execFileSync(process.execPath, ['tools/restore.mjs', '--done-elsewhere'], { cwd: ROOT, env, stdio: 'pipe' });
  }

  test('is the number of the step as long as there was none', async () => {
    expect(await heard(randomUUID(), 3)).toEqual({ sequence: 3, said: 3 });
  });

  test('is above all that was heard of before, and goes on from there', async () => {
    const payout = randomUUID();
    const before = await heard(payout, 9);
    restored();
    const after = await heard(payout, 6);
    expect(after.sequence).toBeGreaterThan(before.sequence);
    expect(after.said).toBe(after.sequence);
    expect(await heard(payout, 7)).toEqual({ sequence: after.sequence + 1, said: after.sequence + 1 });
    expect(after.sequence).toBeLessThan(THE_NEWEST_INT / 2);
  });

  test('rises with each restore, however soon after another', async () => {
    const payout = randomUUID();
    restored();
    const before = await heard(payout, 900);
    restored();
    expect((await heard(payout, 1)).sequence).toBeGreaterThan(before.sequence);
  });

  test('rises although the backup is from before an earlier restore', async () => {
    const payout = randomUUID();
    restored();
    // An hour ago.
    await scratch.db.execute('UPDATE restores SET sequence_from = sequence_from - 3600');
    const before = await heard(payout, 900);
    await scratch.db.execute('DELETE FROM restores');
    restored();
    expect((await heard(payout, 1)).sequence).toBeGreaterThan(before.sequence);
  });

  test('rises although the backup is of a version that knew of no restores', async () => {
    const payout = randomUUID();
    const before = await heard(payout, 9);
    const since = MIGRATIONS.map(({ name }) => name).indexOf('Restores1763600000073');
    const runner = { query: (sql: string) => scratch.db.execute(sql) } as unknown as QueryRunner;
    for (const Later of MIGRATIONS.slice(since).reverse()) await new Later().down(runner);
    await scratch.db.execute('DELETE FROM migrations WHERE timestamp >= 1763600000073');
    restored();
    await migrate(dataSourceOptions({ url: scratch.url, poolSize: 2, onPoolError: () => undefined }));
    expect(since).toBeGreaterThan(0);
    expect((await heard(payout, 6)).sequence).toBeGreaterThan(before.sequence);
  });

  /** Of one's own database: a restore that was stopped late is finished with `--done-elsewhere`. The third is ten minutes later. */
  test.each([1, 2])('rises, though the first was marked %d times, and the older one knows of none', async (marks) => {
    const payout = randomUUID();
    for (let mark = 0; mark < marks; mark += 1) restored();
    await scratch.db.execute('UPDATE restores SET sequence_from = sequence_from - $1::int', [600]);
    const before = await heard(payout, 9);
    await scratch.db.execute('DELETE FROM restores');
    restored();
    expect((await heard(payout, 6)).sequence).toBeGreaterThan(before.sequence);
  });

  /** A copy that was made right after the mark, before anything was told, is gone back to within the hour. */
  test('rises, though the copy was made after an earlier restore and before anything was told', async () => {
    const payout = randomUUID();
    restored();
    const before = await heard(payout, 9);
    // As the copy has it: what was told since is unknown to it.
    await scratch.db.execute('DELETE FROM events');
    restored();
    expect((await heard(payout, 6)).sequence).toBeGreaterThan(before.sequence);
  });
});

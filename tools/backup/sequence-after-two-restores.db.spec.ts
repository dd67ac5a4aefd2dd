/**
 * A restore of a database of one's own that was stopped late is finished with `--done-elsewhere`: it is marked twice. If that backup was of no use, and
 * an older one is restored a little later, receivers have heard numbers of a later time than it is.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { EventOutbox } from '#libs/events';
import type { Jobs } from '#libs/jobs';

const ROOT = join(__dirname, '../..');
const NOBODY_TO_TELL = { add: () => Promise.resolve() } as unknown as Jobs;
/** Between the first two restores, which are one, and the third. */
const SECONDS_BETWEEN = 600;

describe('the sequence of events, after two backups were restored', () => {
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

  async function heard(entityId: string, step: number): Promise<number> {
    const event = { clientId, type: 'payout.status' as const, entityId, sequence: step, subscribed: false };
    await new EventOutbox(scratch.db, NOBODY_TO_TELL).append([{ ...event, payload: { status: 'paid' } }]);
    const row = await scratch.db.row<{ sequence: number }>(
      'SELECT sequence FROM events WHERE entity_id = $1 ORDER BY created_at DESC LIMIT 1',
      [entityId],
    );
    return row?.sequence ?? 0;
  }

  function restored(): void {
    const env = { PATH: process.env.PATH, DATABASE_URL: scratch.url, NO_COLOR: '1' };
    execFileSync(process.execPath, ['tools/restore.mjs', '--done-elsewhere'], { cwd: ROOT, env, stdio: 'pipe' });
  }

  test.each([1, 2])('rises, though the first was marked %d times, and the older one knows of none', async (marks) => {
    const payout = randomUUID();
    for (let mark = 0; mark < marks; mark += 1) restored();
    await scratch.db.execute('UPDATE restores SET sequence_from = sequence_from - $1::int', [SECONDS_BETWEEN]);
    const before = await heard(payout, 9);
    await scratch.db.execute('DELETE FROM restores');
    restored();
    expect(await heard(payout, 6)).toBeGreaterThan(before);
  });
});

/** A power cut between the making of the lock file and its first line leaves an empty one, which PostgreSQL never takes for stale. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from './start-embedded-postgres';

describe('an empty lock file', () => {
  jest.setTimeout(60_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'empty-lock-file-'));
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

  it('of a start that a power cut ended keeps no later start from going on', async () => {
    const first = await startEmbeddedPostgres({ dataDir, fast: true });
    await first.stop();
    writeFileSync(join(dataDir, 'postgres/postmaster.pid'), '', { mode: 0o600 });

    const second = await startEmbeddedPostgres({ dataDir, fast: true });
    expect(second.owned).toBe(true);
    await second.stop();
  });
});

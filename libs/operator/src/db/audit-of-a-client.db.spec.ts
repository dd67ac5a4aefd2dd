/**
 * A client that may change its own settings writes a line with each change, ten a second for as long as it likes, and the log is kept for
 * ever. Whoever looks for what an operator did must not read through all of that: a statement has 30 seconds.
 */
import { randomUUID } from 'node:crypto';
import { type ScratchDb, scratchDb } from '#libs/db/testing';
import { rowsRemoved } from '#libs/db/testing';
import { AuditReads } from './audit.reads';
import { AuditStore } from './audit.store';

const LINES = 300_000;

describe('the audit log, of which one client wrote nearly all', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test.each([
    ['actor', { actor: 'alice' }],
    ['action', { action: 'payout' }],
  ])('is searched by %s without reading what the client did', async (name, filter) => {
    const { db } = scratch;
    await new AuditStore(db).add({ actor: 'alice', action: 'payout.released', before: {}, after: {} });
    for (let from = 0; from < LINES; from += 50_000)
      await db.execute(
        `INSERT INTO audit_log (id, actor, action, client_id, before, after)
         SELECT gen_random_uuid(), 'client', 'client.updated', $1::uuid,
           jsonb_build_object('name', 'x', 'webhookUrl', md5(n::text), 'settings', (SELECT string_agg(md5((n + m)::text), '') FROM generate_series(1, 20) AS m)),
           jsonb_build_object('name', 'x', 'webhookUrl', md5(n::text), 'settings', (SELECT string_agg(md5((n + m)::text), '') FROM generate_series(1, 20) AS m))
         FROM generate_series(1, 50000) AS n`,
        [randomUUID()],
      );
    await db.execute('ANALYZE audit_log');
    const asked = jest.spyOn(db, 'rows');
    const begun = performance.now();
    await new AuditReads(db).list(filter, null, 20);
    const ms = performance.now() - begun;
    const [sql, values] = asked.mock.calls.at(-1) as [string, unknown[]];
    asked.mockRestore();
    const removed = await rowsRemoved(db, sql, values);
    process.stderr.write(`by ${name}: ${removed} lines read for nothing, ${Math.round(ms)} ms\n`);
    expect(removed).toBeLessThan(LINES / 10);
  }, 120_000);
});

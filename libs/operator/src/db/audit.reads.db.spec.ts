import { encodeCursor } from '#libs/domain';
import { rowsRemoved, scratchDb, type ScratchDb } from '#libs/db/testing';
import { pageOf, placeOf } from '#libs/http-kit';
import { AuditReads, type AuditRow } from './audit.reads';
import { AuditStore } from './audit.store';

const LIMIT = 100;
const FAT = 400_000;
const BY_ANOTHER = 20_000;

describe('the audit log', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  test('is read in pages that end where its rows are fat, and none is left out', async () => {
    const store = new AuditStore(scratch.db);
    for (let nth = 0; nth < 7; nth += 1)
      await store.add({ actor: 'root', action: `deed ${nth}`, before: { text: 'x'.repeat(FAT) }, after: { nth } });
    const reads = new AuditReads(scratch.db);
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const rows: Awaited<ReturnType<typeof reads.list>> = await reads.list({}, placeOf(cursor ?? undefined), LIMIT);
      const page = pageOf(rows, LIMIT, ({ action }: AuditRow) => action);
      pages.push(page.data);
      cursor = page.nextCursor;
      if (cursor) expect(cursor).toBe(encodeCursor(rows[rows.length - 1] as (typeof rows)[number]));
    } while (cursor);
    expect(pages).toEqual([['deed 6', 'deed 5', 'deed 4'], ['deed 3', 'deed 2', 'deed 1'], ['deed 0']]);
  });

  test('is read by its actor, however much another one did since', async () => {
    const store = new AuditStore(scratch.db);
    await store.add({ actor: 'ada', action: 'client.created' });
    await store.add({ actor: 'ada', action: 'payout.released' });
    await scratch.db.execute(
      `INSERT INTO audit_log (id, actor, action) SELECT gen_random_uuid(), 'root', 'payout.released' FROM generate_series(1, $1::int)`,
      [BY_ANOTHER],
    );
    await scratch.db.execute('ANALYZE audit_log');
    const asked = jest.spyOn(scratch.db, 'rows');
    const deeds = await new AuditReads(scratch.db).list({ actor: 'ada', action: 'payout' }, null, LIMIT);
    const [sql, values] = asked.mock.calls[0] as [string, unknown[]];
    asked.mockRestore();
    expect(deeds.map(({ action }) => action)).toEqual(['payout.released']);
    expect(await rowsRemoved(scratch.db, sql, values)).toBeLessThan(LIMIT);
  });
});

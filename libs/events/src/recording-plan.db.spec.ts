/** Writing down a few attempts must not cost more the more jobs wait. */
import { readsWhole, scratchDb, type ScratchDb } from '#libs/db/testing';
import { EventBook } from './event.book';

describe('writing down what came of attempts', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute(
      `INSERT INTO jobs (name, entity_id, lane, owner, run_at)
       SELECT 'events.announce', gen_random_uuid(), 'a lane', '', now() FROM generate_series(1, 3000)`,
    );
  });
  afterAll(() => scratch.drop());

  test.each(['record', 'recordFree'] as const)('looks the jobs up and reads no others (%s)', async (way) => {
    const asked = jest.spyOn(scratch.db, 'rows');
    expect(await new EventBook(scratch.db)[way]([])).toEqual([]);
    const [sql = ''] = asked.mock.calls[0] ?? [];
    asked.mockRestore();
    expect(await readsWhole(scratch.db, sql)).toEqual([]);
  });
});

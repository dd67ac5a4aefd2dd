/** An attempt that came too late is written beside its event, and not without it. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { EventBook, type Made } from './event.book';

describe('an attempt that has no say any more', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  const made = (id: string): Made => ({
    event: { id, clientId: id, job: { name: 'event.retry', entityId: id, leaseToken: id }, attempts: 0, dueAt: null },
    record: {
      ...{ status: 'delivered', attempts: 1, statusCode: 204, error: null, againInSeconds: null },
      attempt: { startedAt: systemClock.now(), durationMs: 5, host: 'h', statusCode: 204, error: null, excerpt: null },
    },
  });
  const attemptsOf = (id: string): Promise<object[]> =>
    scratch.db.rows('SELECT number FROM event_attempts WHERE event_id = $1 ORDER BY number', [id]);

  test('is kept after those that counted', async () => {
    const id = randomUUID();
    await scratch.db.execute(
      `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency)
       VALUES ($1, 'c', true, 1, '{}', '{}', false, 'USD')`,
      [id],
    );
    await scratch.db.execute(
      `INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status)
       VALUES ($1::uuid, $1::uuid, 'payout.paid', $1::uuid, 1, '{}', 'delivered')`,
      [id],
    );
    const book = new EventBook(scratch.db);
    for (let late = 0; late < 2; late += 1) await book.recordLate(made(id));
    expect(await attemptsOf(id)).toEqual([{ number: 1 }, { number: 2 }]);
  });

  test('is not kept once its event went with its client', async () => {
    const id = randomUUID();
    await new EventBook(scratch.db).recordLate(made(id));
    expect(await attemptsOf(id)).toEqual([]);
  });
});

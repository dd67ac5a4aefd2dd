/** What is old enough goes, with its attempts, by the time that its id says; what somebody still waits for stays. */
import { v7 } from 'uuid';
import { newId, systemClock } from '#libs/domain';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { EventBook } from '#libs/events';
import { ForgetEvents } from './use-cases/forget-events';

const DAY_MS = 86_400_000;

describe('events that are old', () => {
  let scratch: ScratchDb;
  let clientId: string;

  beforeAll(async () => {
    scratch = await scratchDb();
    clientId = newId();
    await scratch.db.execute(
      `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency)
       VALUES ($1, 'of events', true, 1, '{}', '{}', false, 'USD')`,
      [clientId],
    );
  });
  afterAll(() => scratch.drop());
  beforeEach(() => scratch.db.execute('DELETE FROM events'));

  async function made(daysAgo: number, status: string): Promise<string> {
    const id = v7({ msecs: systemClock.now().getTime() - daysAgo * DAY_MS });
    await scratch.db.execute(
      `INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status)
       VALUES ($1, $2, 'payee.updated', $1, 1, '{}', $3)`,
      [id, clientId, status],
    );
    await scratch.db.execute(
      `INSERT INTO event_attempts (event_id, number, started_at, duration_ms, host) VALUES ($1, 1, now(), 1, 'a')`,
      [id],
    );
    return id;
  }
  const left = async (): Promise<string[]> =>
    (await scratch.db.rows<{ id: string }>('SELECT id FROM events ORDER BY id')).map(({ id }) => id);
  const forget = (eventsKeptDays: number): Promise<void> =>
    new ForgetEvents(new EventBook(scratch.db), { eventsKeptDays }).run(new AbortController().signal);

  it('go with their attempts once they are over, and not before', async () => {
    const [old, failed] = [await made(91, 'delivered'), await made(91, 'failed')];
    const [waiting, young] = [await made(91, 'pending'), await made(89, 'delivered')];
    await forget(90);
    expect(await left()).toEqual([waiting, young].sort());
    const attempts = await scratch.db.rows<{ eventId: string }>('SELECT event_id FROM event_attempts');
    expect(attempts.map(({ eventId }) => eventId)).not.toEqual(expect.arrayContaining([old]));
    expect(attempts.map(({ eventId }) => eventId)).not.toEqual(expect.arrayContaining([failed]));
  });

  it('go in portions that have so many attempts at most, or are one event', async () => {
    const old: string[] = [];
    for (let count = 0; count < 4; count += 1) {
      old.push(await made(91, 'failed'));
      const [more, last] = [count === 1 ? 30_000 : 7_999, old.at(-1)];
      await scratch.db.execute(
        `INSERT INTO event_attempts (event_id, number, started_at, duration_ms, host)
         SELECT $1, 1 + nth, now(), 1, 'a' FROM generate_series(1, $2::int) AS nth`,
        [last, more],
      );
    }
    const forgetSome = jest.spyOn(EventBook.prototype, 'forget');
    await forget(90);
    const portions = await Promise.all(forgetSome.mock.results.map(({ value }) => value as Promise<number>));
    expect(portions).toEqual([1, 1, 2, 0]);
    expect(await left()).toEqual([]);
    expect(await scratch.db.rows('SELECT FROM event_attempts WHERE event_id = ANY($1)', [old])).toEqual([]);
    forgetSome.mockRestore();
  });

  it('stay for ever where a deployment says so', async () => {
    const old = await made(3_000, 'delivered');
    await forget(0);
    expect(await left()).toEqual([old]);
  });
});

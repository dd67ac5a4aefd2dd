import { randomBytes, randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { AdmitRequest } from '../use-cases/admit-request';
import { AdmissionStore } from './admission.store';

describe('admitting requests', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());
  // Limits are counted by the minute of the database's clock: none of these tests may meet its turn.
  beforeEach(
    () =>
      scratch.db.rows(
        `SELECT pg_sleep(CASE WHEN extract(second FROM now()) > 55 THEN 60.1 - extract(second FROM now()) ELSE 0 END)`,
      ),
    60_000,
  );

  const request = (clientId: string, fingerprint: Buffer | null, limitPerMinute = 1000) => ({
    clientId,
    limitPerMinute,
    fingerprint,
    keepSeconds: 360,
  });
  /** Two processes have two gatherers and one database. */
  const processes = () => [
    new AdmitRequest(new AdmissionStore(scratch.db)),
    new AdmitRequest(new AdmissionStore(scratch.db)),
  ];
  const count = (verdicts: string[], wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length;

  test('of 100 copies over two processes one passes', async () => {
    const [one, two] = processes();
    const copy = request(randomUUID(), randomBytes(32));
    const verdicts = await Promise.all(Array.from({ length: 100 }, (_, index) => (index % 2 ? one : two)?.run(copy)));
    expect(count(verdicts as string[], 'admitted')).toBe(1);
    expect(count(verdicts as string[], 'replayed')).toBe(99);
  });

  test('the limit is exact over two processes, and what it refuses leaves no mark', async () => {
    const [one, two] = processes();
    const clientId = randomUUID();
    const prints = Array.from({ length: 60 }, () => randomBytes(32));
    const verdicts = await Promise.all(
      prints.map((print, index) => (index % 2 ? one : two)?.run(request(clientId, print, 40))),
    );
    expect(count(verdicts as string[], 'admitted')).toBe(40);
    expect(count(verdicts as string[], 'rate_limited')).toBe(20);
    const marks = await scratch.db.rows('SELECT FROM used_signatures WHERE client_id = $1', [clientId]);
    expect(marks).toHaveLength(40);
  });

  test('clients do not share a limit or a signature', async () => {
    const [one] = processes();
    const print = randomBytes(32);
    const verdicts = await Promise.all([randomUUID(), randomUUID()].map((id) => one?.run(request(id, print, 1))));
    expect(verdicts).toEqual(['admitted', 'admitted']);
  });

  test('requests that may be repeated only count', async () => {
    const [one] = processes();
    const clientId = randomUUID();
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => one?.run(request(clientId, null, 3))));
    expect([count(verdicts as string[], 'admitted'), count(verdicts as string[], 'rate_limited')]).toEqual([3, 2]);
  });

  test('expired signatures are forgotten, others kept', async () => {
    const store = new AdmissionStore(scratch.db);
    const clientId = randomUUID();
    expect(await store.useUp(clientId, randomBytes(32), -1)).toBe(true);
    const kept = randomBytes(32);
    expect(await store.useUp(clientId, kept, 60)).toBe(true);
    await store.forgetExpired();
    expect(await scratch.db.rows('SELECT FROM used_signatures WHERE client_id = $1', [clientId])).toHaveLength(1);
    expect(await store.useUp(clientId, kept, 60)).toBe(false);
  });
});

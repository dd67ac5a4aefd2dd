/**
 * What a later attempt reads does not depend on when its connection planned it, as with jobs (ADR 52): while all receivers are well hardly any
 * event waits for a later attempt, and a plan from then reads all of those that wait, of all clients, for each one that is due. `events` keeps 90
 * days, and autovacuum looks at it after a tenth of it has changed. A receiver that is down rests after ten failures; one that takes one in ten and
 * hangs for the others has its client's eight places busy, and far more of its events due than they get through with.
 */
import { randomUUID } from 'node:crypto';
import { openDb, rowsRead, scratchDb, type ScratchDb } from '#libs/db/testing';
import { DeliveryReads } from './db/delivery.reads';

const KEPT = 100_000;
/** Too few for autovacuum: a tenth would be. */
const WAITING = 9_000;

describe('a connection that looked at later attempts while all receivers were well', () => {
  let scratch: ScratchDb;
  let idle: Awaited<ReturnType<typeof openDb>>;
  const [loud, quiet] = [randomUUID(), randomUUID()];
  beforeAll(async () => {
    scratch = await scratchDb();
    idle = await openDb(scratch.url, { max: 1 });
    for (const id of [loud, quiet])
      await scratch.db.execute(
        `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency)
         VALUES ($1, 'Acme', false, 1, '{}', '{}', false, 'USD')`,
        [id],
      );
  });
  afterAll(async () => {
    await idle.close();
    await scratch.drop();
  });

  const add = async (
    count: number,
    clientId: string,
    status: string,
    attempts: number,
    due: string,
  ): Promise<string> => {
    const rows = await scratch.db.rows<{ id: string }>(
      `INSERT INTO events (id, client_id, type, entity_id, sequence, payload, status, attempts, next_attempt_at)
       SELECT gen_random_uuid(), $1, 'payout.paid', gen_random_uuid(), 1, '{}', $2, $3, ${due} FROM generate_series(1, $4::int)
       RETURNING id`,
      [clientId, status, attempts, count],
    );
    return rows[0]?.id ?? '';
  };
  test.each([
    ['for one that is due', (reads: DeliveryReads, id: string) => reads.again(id), `now() - interval '1 second'`],
    ['for when it is due', (reads: DeliveryReads, id: string) => reads.waitFor(id), `now() + interval '1 minute'`],
  ])('does not go through those of another client whose receiver hangs nine times in ten, %s', async (_, look, due) => {
    const reads = new DeliveryReads(idle.db);
    await scratch.db.execute('DELETE FROM events');
    await add(KEPT, quiet, 'delivered', 1, 'NULL');
    await scratch.db.execute('VACUUM ANALYZE events'); // as autovacuum leaves it on any evening
    for (let nth = 0; nth < 12; nth += 1) await look(reads, randomUUID());
    await add(WAITING, loud, 'pending', 1, `now() - interval '1 minute'`);
    const id = await add(1, quiet, 'pending', 1, due);
    const before = await rowsRead(idle.db, 'events');
    expect(await look(reads, id)).not.toBeNull();
    expect((await rowsRead(idle.db, 'events')) - before).toBeLessThan(WAITING / 10);
  });
});

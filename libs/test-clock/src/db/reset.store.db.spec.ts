import type { Db } from '#libs/db';
import { type ScratchDb, scratchDb } from '#libs/db/testing';
import { Rails } from '#libs/rail-registry';
import { rowsOf, type SeededClient, seedClient } from '../../testing/rows-of-a-client';
import { GOES, STAYS } from './client-rows';
import { ResetStore } from './reset.store';

/** A rail that keeps records, and does nothing else. */
const keeping = {
  definition: { name: 'mock' },
  rail: {
    recordsKept: () => ({
      payment: 'payment:',
      leg: 'leg:',
      opening: 'opening:',
      account: 'account:',
      check: 'check:',
    }),
  },
  missingSettings: [],
} as unknown as ConstructorParameters<typeof Rails>[0][number];
const rails = new Rails([keeping], 'here');

describe('the rows of a client', () => {
  let scratch: ScratchDb;
  let db: Db;
  let store: ResetStore;
  beforeAll(async () => {
    scratch = await scratchDb();
    db = scratch.db;
    store = new ResetStore(db, rails);
  });
  afterAll(() => scratch.drop());

  const reset = (clientId: string): Promise<Map<string, number>> =>
    db.inTransaction(async () => {
      await store.hold(clientId);
      return store.clear(clientId);
    });
  const recordKeys = async (like: string): Promise<string[]> =>
    (await db.rows<{ key: string }>('SELECT key FROM rail_records WHERE key LIKE $1 ORDER BY key', [like])).map(
      ({ key }) => key,
    );

  test('go with it or stay, in each table that there is, and why', async () => {
    const there = await db.rows<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    expect([...Object.keys(GOES), ...Object.keys(STAYS)].sort()).toEqual(there.map(({ name }) => name).sort());
    for (const reason of Object.values(STAYS)) expect(reason).toMatch(/\w+ \w+/);
  });

  test('go, all of them, and those of a rail for tests', async () => {
    const client = await seedClient(db);
    const before = await rowsOf(db, client);
    const gone = await reset(client.clientId);
    const after = await rowsOf(db, client);
    const stay = ['used_signatures', 'audit_log'];
    const age = ['clients', 'client_keys', 'signing_secrets'];
    for (const [table, rows] of Object.entries(after))
      if (!age.includes(table)) expect([table, rows]).toEqual([table, stay.includes(table) ? before[table] : []]);
    for (const [table, rows] of Object.entries(before))
      if (gone.has(table)) expect([table, gone.get(table)]).toEqual([table, rows.length]);
    expect(gone.get('payout_trail')).toBe(2);
  });

  test('leave the client as it was, but for how old it is', async () => {
    const client = await seedClient(db);
    const [before] = (await rowsOf(db, client)).clients as [Record<string, unknown>];
    await reset(client.clientId);
    const [after] = (await rowsOf(db, client)).clients as [Record<string, unknown>];
    const times = { created_at: expect.any(String), updated_at: expect.any(String) };
    expect(after).toEqual({ ...before, ...times });
    const young = await db.row(`SELECT FROM clients WHERE id = $1 AND created_at > now() - interval '1 minute'`, [
      client.clientId,
    ]);
    expect(young).not.toBeNull();
  });

  test('of keys and secrets are as young as the client, whatever time had passed for it', async () => {
    const { clientId } = await seedClient(db);
    const key = (hint: string, expires: string | null) =>
      db.execute(
        `INSERT INTO client_keys (id, client_id, hint, digest, expires_at, created_at)
         VALUES (gen_random_uuid(), $1, $2, $3, now() + $4::interval, now() - interval '40 years')`,
        [clientId, hint, Buffer.from(hint + clientId), expires],
      );
    await key('for good', null);
    await key('an hour', '1 hour');
    await key('ended', '-1 year');
    await reset(clientId);
    const keys = await db.rows(
      `SELECT hint, client_keys.created_at = clients.created_at AS young, revoked_at = clients.created_at AS revoked,
         (extract(epoch FROM expires_at - clients.created_at) / 60)::int AS minutes
       FROM client_keys JOIN clients ON clients.id = client_id WHERE client_id = $1 ORDER BY hint`,
      [clientId],
    );
    expect(keys).toEqual([
      { hint: 'an hour', young: true, revoked: null, minutes: expect.any(Number) },
      { hint: 'ended', young: true, revoked: true, minutes: 0 },
      { hint: 'for good', young: true, revoked: null, minutes: null },
      { hint: 'h', young: true, revoked: true, minutes: 0 },
    ]);
    expect((keys[0] as { minutes: number }).minutes).toBeGreaterThan(0);
    const secrets = await db.rows(
      `SELECT created_at = expires_at AND expires_at <= now() AS ended FROM signing_secrets WHERE client_id = $1`,
      [clientId],
    );
    expect(secrets).toEqual([{ ended: true }]);
  });

  test('of others stay as they are', async () => {
    const [client, other, live] = [
      await seedClient(db),
      await seedClient(db),
      await seedClient(db, { testMode: false }),
    ] as [SeededClient, SeededClient, SeededClient];
    const before = [await rowsOf(db, other), await rowsOf(db, live)];
    await reset(client.clientId);
    expect([await rowsOf(db, other), await rowsOf(db, live)]).toEqual(before);
  });

  test('of a live client do not go, whoever asks for it', async () => {
    const live = await seedClient(db, { testMode: false });
    const before = await rowsOf(db, live);
    await expect(reset(live.clientId)).rejects.toThrow('is append-only');
    expect(await rowsOf(db, live)).toEqual(before);
  });

  test('take with them what the rail keeps of later calls, of accounts and of whom it checked', async () => {
    const [client, other] = [await seedClient(db), await seedClient(db)];
    const checked = (payeeId: string) =>
      db.execute(`INSERT INTO rail_records (rail, key, value) VALUES ('mock', 'check:' || $1, '{}')`, [payeeId]);
    for (const { clientId, payeeId, railKey } of [client, other]) {
      await checked(payeeId);
      await db.execute(`UPDATE payouts SET legs = $2 WHERE client_id = $1`, [
        clientId,
        JSON.stringify([{ key: railKey }]),
      ]);
      await db.execute(
        `INSERT INTO rail_records (rail, key, value) SELECT 'mock', kind || $1, '{}' FROM unnest($2::text[]) AS one (kind)`,
        [railKey, ['leg:', 'opening:', 'account:']],
      );
    }
    await reset(client.clientId);
    expect(await recordKeys(`%${client.railKey}`)).toEqual([]);
    expect(await recordKeys(`%${other.railKey}`)).toHaveLength(4);
    expect(await recordKeys('check:%')).toEqual([`check:${other.payeeId}`]);
  });

  test('go twice at once, and after that there is nothing', async () => {
    const { clientId } = await seedClient(db);
    const counts = await Promise.all([reset(clientId), reset(clientId)]);
    expect(counts.map((gone) => gone.get('payees')).sort()).toEqual([0, 1]);
  });

  test('are no more compared with what a rail listed before', async () => {
    const { clientId } = await seedClient(db);
    await db.execute(`INSERT INTO rail_scans (rail, scanned_until) VALUES ('mock', now()), ('other', now())`);
    await reset(clientId);
    const scans = await db.rows('SELECT rail, resets FROM rail_scans ORDER BY rail');
    expect(scans).toEqual([
      { rail: 'mock', resets: 1 },
      { rail: 'other', resets: 0 },
    ]);
  });
});

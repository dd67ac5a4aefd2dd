/**
 * A client with the scope `keys:write` makes a new key as often as its limit allows, each without an overlap: 600 a minute. The old ones have
 * ended. What the next one costs must not grow with them: each wrote a line in the audit log that names all keys there ever were, twice, and
 * changed all of their rows; and the client's own list of keys, which has no pages, answers all of them at one go.
 */
import type { Asker } from '#libs/auth';
import { type Client, ClientReads, ENDED_KEYS_LISTED, IssueCredentials, KeepClients } from '#libs/clients';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { AuditStore } from '../db/audit.store';
import { OwnKeys } from './own-keys';
import { ProvisionClients } from './provision-clients';

const ENDED = 500;
const HOUR = 3_600;

describe('a client that had very many keys', () => {
  let world: MoneyWorld;
  let client: Client;
  let keys: OwnKeys;
  const asker: Asker = { actor: 'client', checkAgain: async () => undefined };
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
    const reads = world.get(ClientReads);
    const provision = new ProvisionClients(
      world.db,
      reads,
      world.get(KeepClients),
      world.get(IssueCredentials),
      new AuditStore(world.db),
    );
    keys = new OwnKeys(reads, provision);
    await world.db.execute(
      `INSERT INTO client_keys (id, client_id, hint, digest, expires_at, created_at)
       SELECT gen_random_uuid(), $1, 'gw_live_…' || n, sha256(n::text::bytea), now() - interval '1 minute',
         now() - interval '1 hour' - n * interval '1 second'
       FROM generate_series(1, $2::int) AS n`,
      [client.id, ENDED],
    );
  });
  afterAll(() => world.stop());

  const lastLine = (): Promise<{ before: Named; after: Named } | null> =>
    world.db.row('SELECT before, after FROM audit_log WHERE client_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1', [
      client.id,
    ]);
  interface Named {
    inUse: { id: string }[];
  }
  const idsOf = (some: { id: string }[] = []): string[] => some.map(({ id }) => id);

  test('makes another one without touching those that have ended, and names none of them', async () => {
    const first = await keys.rotate(asker, client.id, 0);
    const second = await keys.rotate(asker, client.id, HOUR);
    const touched = await world.db.rows(
      `SELECT FROM client_keys WHERE client_id = $1 AND xmin = (SELECT xmin FROM client_keys WHERE id = $2)`,
      [client.id, second.keyId],
    );
    expect(touched).toHaveLength(2);
    const line = await lastLine();
    expect(idsOf(line?.before.inUse)).toEqual([first.keyId]);
    expect(idsOf(line?.after.inUse)).toEqual([first.keyId, second.keyId]);
  });

  test('is told of those that are good, however old they are, and of the latest that ended', async () => {
    const good = await keys.rotate(asker, client.id, 0);
    await world.db.execute(`UPDATE client_keys SET created_at = now() - interval '1 year' WHERE id = $1`, [good.keyId]);
    const listed = await keys.list(client.id, 'gw_live_x');
    expect(listed).toHaveLength(ENDED_KEYS_LISTED + 1);
    expect(listed[0]?.id).toBe(good.keyId);
    expect(listed.at(-1)?.expiresAt).not.toBeNull();
  });

  test('may revoke one that is listed no more, and changes nothing by that', async () => {
    const [oldest] = await world.db.rows<{ id: string }>(
      `SELECT id FROM client_keys WHERE client_id = $1 AND hint = $2`,
      [client.id, `gw_live_…${ENDED}`],
    );
    const { apiKey } = await keys.rotate(asker, client.id, 0);
    const revoked = await keys.revoke(asker, client.id, { keyId: oldest?.id ?? '', usedKey: apiKey });
    expect(revoked.id).toBe(oldest?.id);
  });
});

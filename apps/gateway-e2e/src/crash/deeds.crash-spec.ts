/**
 * Each deed of an operator and its line in the audit log: the connection ends right before the line is written, and neither is
 * there. Deeds of several transactions have their intent before, and nothing was done if that could not be written.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, eventually, type Json, newClient, operator } from '../harness/api';
import { query } from '../harness/database';
import { beginRun, type PayoutRun } from '../harness/payout-run';
import { POOL, type Proxied, startProxied, stopProxied } from '../harness/proxied';
import { ROOT } from '../harness/root';

interface Deed {
  /** Makes what it is about, and returns the deed. */
  prepare: () => Promise<() => Promise<Answer>>;
  /** Where it shows that the deed was done. */
  tables: string[];
  /** Several transactions, with the intent before them. */
  inSteps?: true;
}

describe('a deed of an operator whose line cannot be written', () => {
  let proxied: Proxied;
  let run: PayoutRun;
  beforeAll(async () => {
    proxied = await startProxied({}, true);
    run = await beginRun(proxied);
  });
  afterAll(async () => {
    await stopProxied(proxied);
    await run.catcher.stop();
  });

  const sql = <T extends object = Json>(text: string, values: unknown[] = []): Promise<T[]> =>
    query<T>(proxied.databaseUrl, text, values);
  const client = (path = ''): string => `/clients/${run.client.id}${path}`;
  const payout = async (fields: object): Promise<string> =>
    (await run.client.payout((await run.client.payablePayee()).id, { ...fields })).body.id;
  const always =
    (...asked: Parameters<typeof operator>): Deed['prepare'] =>
    async () =>
    () =>
      operator(...asked);

  /** An event that is being told changes its row by itself. */
  const nothingOnItsWay = (): Promise<Json[]> =>
    eventually(
      () => sql(`SELECT id FROM events WHERE status = 'pending'`),
      ({ length }) => length === 0,
    );

  const DEEDS: Record<string, Deed> = {
    'POST /clients': {
      prepare: always('POST', '/clients', { name: 'new' }),
      tables: ['clients', 'client_keys', 'signing_secrets'],
    },
    'PATCH /clients/{id}': {
      prepare: async () => () => operator('PATCH', client(), { caps: { singleCents: 77_777 } }),
      tables: ['clients'],
    },
    'POST /clients/{id}/reset': {
      prepare: async () => {
        const other = await newClient();
        await other.payout((await other.payablePayee()).id);
        await nothingOnItsWay();
        return () => operator('POST', `/clients/${other.id}/reset`);
      },
      tables: ['payees', 'payouts', 'payout_trail', 'events'],
    },
    'POST /clients/{id}/keys': {
      prepare: async () => () => operator('POST', client('/keys'), { overlapSeconds: 600 }),
      tables: ['client_keys'],
    },
    'DELETE /clients/{id}/keys/{keyId}': {
      prepare: async () => {
        const { body } = await operator('POST', client('/keys'), { overlapSeconds: 600 });
        return () => operator('DELETE', client(`/keys/${body.keyId}`));
      },
      tables: ['client_keys'],
    },
    'POST /clients/{id}/signing-secret': {
      prepare: async () => () => operator('POST', client('/signing-secret'), { overlapSeconds: 600 }),
      tables: ['signing_secrets'],
    },
    'POST /operators': {
      prepare: always('POST', '/operators', { name: 'grace', role: 'viewer' }),
      tables: ['operators'],
    },
    'DELETE /operators/{id}': {
      prepare: async () => {
        const { body } = await operator('POST', '/operators', { name: randomUUID(), role: 'viewer' });
        return () => operator('DELETE', `/operators/${body.operator.id}`);
      },
      tables: ['operators'],
    },
    'POST /master-key/rewrap': {
      prepare: always('POST', '/master-key/rewrap'),
      tables: ['signing_secrets'],
      inSteps: true,
    },
    'POST /payouts/{id}/release': {
      prepare: async () => {
        const id = await payout({ amountCents: 50 });
        return () => operator('POST', `/payouts/${id}/release`);
      },
      tables: ['payouts', 'payout_trail'],
      inSteps: true,
    },
    'POST /payouts/{id}/retry': {
      prepare: async () => {
        const id = await payout({ reason: 'mock:fail_once' });
        return () => operator('POST', `/payouts/${id}/retry`);
      },
      tables: ['payouts', 'payout_trail'],
      inSteps: true,
    },
    'POST /payouts/release': {
      prepare: async () => {
        await payout({ amountCents: 50 });
        return () => operator('POST', '/payouts/release', { reason: 'below_min_payout', limit: 1 });
      },
      tables: ['payouts', 'payout_trail'],
      inSteps: true,
    },
    'POST /payouts/{id}/look': {
      prepare: async () => {
        const id = await payout({});
        await nothingOnItsWay();
        return () => operator('POST', `/payouts/${id}/look`);
      },
      tables: ['payouts', 'payout_trail'],
    },
    'POST /payouts/{id}/fail': {
      prepare: async () => {
        const id = await payout({ amountCents: 50 });
        return () => operator('POST', `/payouts/${id}/fail`);
      },
      tables: ['payouts', 'payout_trail', 'balances'],
      inSteps: true,
    },
    'PATCH /payees/{id}': {
      prepare: async () => {
        const { id } = await run.client.payee();
        return () => operator('PATCH', `/payees/${id}`, { blocked: true, blockReason: 'asked to' });
      },
      tables: ['payees'],
    },
    'POST /clients/{id}/wallet/entries': {
      prepare: async () => {
        const entry = { type: 'deposit', currency: 'USD', amountCents: 5_000, reference: randomUUID() };
        return () => operator('POST', client('/wallet/entries'), entry);
      },
      tables: ['wallet_entries', 'wallets'],
    },
    'PUT /routes': {
      prepare: always('PUT', '/routes', { routes: { DE: ['claim_rail'] }, blockedCountries: ['KP'] }),
      tables: ['routes'],
    },
    'POST /rails/{name}/rebind': {
      prepare: async () => {
        await sql(
          `INSERT INTO rail_records (rail, key, value) VALUES ('custodial_b', 'credentials', '{"account": "two"}')`,
        );
        return () => operator('POST', '/rails/custodial_b/rebind');
      },
      tables: ['rail_accounts'],
      inSteps: true,
    },
    'POST /rails/{name}/compared': {
      prepare: async () => {
        await sql(
          `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES ('unlisted_rail', now() - interval '1 hour', now())
           ON CONFLICT (rail) DO UPDATE SET scanned_until = excluded.scanned_until, restored_at = excluded.restored_at`,
        );
        return () => operator('POST', '/rails/unlisted_rail/compared');
      },
      tables: ['rail_scans'],
    },
    'POST /drift/{id}/resolve': {
      prepare: async () => {
        const [row] = await sql<{ id: string }>(
          `INSERT INTO drift (id, rail, rail_key, kind, rail_cents, rail_currency, has_moved)
           VALUES (gen_random_uuid(), 'mock', 'gw-nobody', 'unknown_here', 500, 'USD', true) RETURNING id`,
        );
        return () => operator('POST', `/drift/${row?.id}/resolve`, {});
      },
      tables: ['drift'],
      inSteps: true,
    },
    'POST /jobs/{name}/run': {
      prepare: always('POST', '/jobs/sweep/run'),
      tables: ['payouts'],
      inSteps: true,
    },
    'POST /events/{id}/replay': {
      prepare: async () => {
        const id = await payout({});
        const told = (): Promise<Json[]> =>
          sql(`SELECT id FROM events WHERE entity_id = $1 AND status = 'delivered'`, [id]);
        const [event] = await eventually(told, ({ length }) => length > 0);
        await nothingOnItsWay();
        return () => operator('POST', `/events/${event?.id}/replay`);
      },
      tables: ['events'],
    },
    'POST /mails/{id}/send': {
      prepare: async () => {
        const [row] = await sql<{ id: string }>(
          `INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, status)
           VALUES (gen_random_uuid(), $1, 'claim_link', 'x', 'ada@example.com', 's', 't', 'h', 'kept') RETURNING id`,
          [run.client.id],
        );
        return () => operator('POST', `/mails/${row?.id}/send`);
      },
      tables: ['mails'],
    },
    'POST /clients/{id}/receiver/wake': {
      prepare: async () => {
        await sql(
          `INSERT INTO receivers (client_id, url_digest, host, consecutive_failures, resting_until)
           VALUES ($1, '\\x00', 'example.com', 5, now() + interval '1 day')
           ON CONFLICT (client_id) DO UPDATE SET resting_until = excluded.resting_until`,
          [run.client.id],
        );
        return () => operator('POST', client('/receiver/wake'));
      },
      tables: ['receivers'],
    },
    'POST /clients/{id}/events/replay': {
      prepare: async () => {
        await nothingOnItsWay();
        return () => operator('POST', client('/events/replay'), { status: 'delivered', from: '2020-01-01T00:00:00Z' });
      },
      tables: ['events'],
      inSteps: true,
    },
  };

  test('is one of those that the reference lists', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as { paths: Json };
    const changing = Object.entries<Json>(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => path.startsWith('/operator/v1/') && method !== 'get')
        .map((method) => `${method.toUpperCase()} ${path.replace('/operator/v1', '')}`),
    );
    expect(Object.keys(DEEDS).sort()).toEqual(changing.sort());
  });

  /** The connection ends right before the n-th line of the next deed; all others are written. */
  const endsBeforeLine = (n: number): void => {
    let line = 0;
    proxied.ofApi.decide = ({ application, sql: statement }) =>
      application === POOL && statement.startsWith('INSERT INTO audit_log') && (line += 1) === n
        ? 'ended before'
        : 'pass';
  };
  const looksOf = async (tables: string[]): Promise<Json[]> =>
    Promise.all(
      tables.map((table) => sql(`SELECT md5(string_agg(one::text, ' ' ORDER BY one::text)) FROM ${table} AS one`)),
    );
  const lines = async (): Promise<string[]> =>
    (await sql<{ action: string }>('SELECT action FROM audit_log ORDER BY created_at, id')).map(({ action }) => action);

  test.each(Object.keys(DEEDS))('was not done: %s', async (name) => {
    const { prepare, tables, inSteps } = DEEDS[name] as Deed;
    const deed = await prepare();
    const [before, written] = [await looksOf(tables), await lines()];
    endsBeforeLine(1);
    const { status } = await deed();
    expect([status, await looksOf(tables), await lines()]).toEqual([503, before, written]);

    // Several transactions were done if only their outcome could not be written, and the intent says so.
    endsBeforeLine(2);
    const again = await deed();
    proxied.ofApi.decide = () => 'pass';
    const added = (await lines()).slice(written.length);
    if (inSteps) expect([again.status, added]).toEqual([503, [expect.stringContaining('_asked')]]);
    else expect([again.status < 300, added.length]).toEqual([true, 1]);
  });
});

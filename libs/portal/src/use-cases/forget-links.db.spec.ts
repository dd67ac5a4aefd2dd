import { newId } from '#libs/domain';
import { holding, type ScratchDb, scratchDb } from '#libs/db/testing';
import { PageLinkStore } from '../db/page-link.store';
import { PortalAccess } from '../db/portal-access.store';
import { ForgetLinks } from './forget-links';

describe('links that are over', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  const left = async (): Promise<number> => (await scratch.db.rows('SELECT FROM page_links')).length;
  const forget = (signal: AbortSignal): Promise<void> =>
    new ForgetLinks(new PageLinkStore(scratch.db), new PortalAccess(scratch.db)).run(signal);

  test('are forgotten a portion at a time, until all are, or another process is at it', async () => {
    const [clientId, payeeId] = [newId(), newId()];
    await scratch.db.execute(
      `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency)
       VALUES ($1, 'c', true, 1, '{}', '{}', false, 'USD')`,
      [clientId],
    );
    await scratch.db.execute(
      `INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status)
       VALUES ($1, $2, 'p', false, 'not_started', 'not_started')`,
      [payeeId, clientId],
    );
    await scratch.db.execute(
      `INSERT INTO page_links (id, digest, kind, client_id, payee_id, return_url, created_at, expires_at)
       SELECT gen_random_uuid(), int4send(n), 'onboarding', $1, $2, 'https://app.example/',
         now() - interval '1 hour', now() + CASE WHEN n = 0 THEN interval '1 hour' ELSE interval '-1 second' END
       FROM generate_series(0, 10001) AS n`,
      [clientId, payeeId],
    );
    const lease = new AbortController();
    const first = forget(lease.signal);
    lease.abort();
    await first;
    expect(await left()).toBe(2);
    await forget(new AbortController().signal);
    expect(await left()).toBe(1);
  });

  test('are forgotten beside one that somebody holds, such as whoever opens it', async () => {
    await scratch.db.execute(`UPDATE page_links SET expires_at = now() - interval '1 second'`);
    await scratch.db.execute(
      `INSERT INTO page_links (id, digest, kind, client_id, payee_id, return_url, created_at, expires_at)
       SELECT gen_random_uuid(), int4send(-1), kind, client_id, payee_id, return_url, created_at, expires_at FROM page_links`,
    );
    const letGo = await holding(scratch.db, 'SELECT FROM page_links WHERE digest = int4send(-1) FOR UPDATE', []);
    try {
      await forget(new AbortController().signal);
      expect(await left()).toBe(1);
    } finally {
      await letGo();
    }
    await forget(new AbortController().signal);
    expect(await left()).toBe(0);
  });
});

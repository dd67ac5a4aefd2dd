/**
 * The database fails over to a host whose clock is an hour behind (ADR 54, 128). A link into a wallet, and a wallet that is open, are dated by the clock of
 * before; the payee gets another address since. Which came first must not go by two clocks: the old mailbox is let in nowhere
 */
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { digest, SecretBox } from '#libs/domain';
import { type Payee, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalModule } from '../portal.module';
import { ChooseDestination } from './choose-destination';
import { SendPortalLink } from './send-portal-link';
import { VisitClaim } from './visit-claim';
import { VisitPortal, type Visitor } from './visit-portal';
import { keptBy } from './wallets-open.fake';

const OLD = 'old@example.com';

describe.each(['0 s', '1 hour'])('after the clock of the database was set back by %s', (by) => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client({ coolDownSeconds: 3_600, rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    payee = await world.payee(client, { country: 'IT', email: OLD });
  });

  /** What was written as now() is an hour ahead of the clock from here on. */
  const setBack = async (): Promise<void> => {
    for (const times of ['page_links SET created_at = created_at', 'portal_sessions SET link_made_at = link_made_at'])
      await world.db.execute(`UPDATE ${times} + '${by}'::interval, expires_at = expires_at + '${by}'::interval`);
    await world.db.execute(`UPDATE portal_sessions SET fresh_until = fresh_until + '${by}'::interval`);
  };
  const getsAnotherAddress = (): Promise<Payee> => {
    const { externalId, name, country } = payee;
    return world.get(UpsertPayee).run(client, { externalId, name, country, email: 'new@example.com' });
  };
  const opened = async (): Promise<string | null> => {
    const mail = await world.db.row<{ id: string; sealedLink: string }>(
      `SELECT * FROM mails WHERE client_id = $1 AND kind = 'portal_link' AND to_address = $2 ORDER BY id DESC LIMIT 1`,
      [client.id, OLD],
    );
    const { masterKeys } = world.module.get<Config>(CONFIG, { strict: false });
    const link = new SecretBox(masterKeys).open(mail?.sealedLink ?? '', `mail-link:${mail?.id}`);
    const [, token = ''] = /portal\/open\/([A-Za-z0-9_-]{43})$/.exec(link) ?? [];
    return keptBy(world, token);
  };
  const visitorBy = async (kept: string): Promise<Visitor | null> => {
    const [session] = await world.get(PortalAccessReads).sessions([digest(kept)]);
    return (session && (await world.get(VisitPortal).visitor(session))) ?? null;
  };

  test('a link to the address of before opens nothing', async () => {
    await world.get(SendPortalLink).run(client, payee.id, true);
    await setBack();
    await getsAnotherAddress();
    expect(await opened()).toBeNull();
  });

  test('a wallet that was open is closed', async () => {
    await world.get(SendPortalLink).run(client, payee.id, true);
    const kept = await opened();
    await setBack();
    await getsAnotherAddress();
    expect(await visitorBy(kept ?? '')).toBeNull();
  });

  // Its link is forgotten a few minutes after it is over, and a wallet stays open for twelve hours.
  test('a wallet that was open is closed, also once the link that opened it is forgotten', async () => {
    await world.get(SendPortalLink).run(client, payee.id, true);
    const kept = await opened();
    await setBack();
    await world.db.execute('DELETE FROM page_links WHERE payee_id = $1', [payee.id]);
    await getsAnotherAddress();
    expect(await visitorBy(kept ?? '')).toBeNull();
  });

  // A name leaves the address as it is, and closes the wallet of whoever is paid over an account.
  test.each(['a link', 'an open wallet'])('%s of before their name changed opens nothing', async (what) => {
    await world.adopt(client, payee);
    await world.get(SendPortalLink).run(client, payee.id, true);
    const kept = what === 'a link' ? null : await opened();
    await setBack();
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, name: 'Grace Hopper' });
    expect(kept === null ? await opened() : await visitorBy(kept)).toBeNull();
  });

  test('a wallet that was open says nothing of where waiting money goes', async () => {
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const { railKey } = await world.payout(id);
    world.rail.knows.set(railKey, waits());
    await world.get(SendPortalLink).run(client, payee.id, true);
    const kept = await opened();
    await setBack();
    await getsAnotherAddress();
    const visitor = await visitorBy(kept ?? '');
    const visit = visitor && (await world.get(VisitClaim).own(visitor, id));
    if (visit) await world.get(ChooseDestination).begin(visit, 'address-of-the-old-mailbox');
    expect((await world.payout(id)).legs.at(-1)?.destination).toBeUndefined();
  });
});

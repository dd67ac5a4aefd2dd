/** A leaked key gives a payee another address while no rail pays to it: the new mailbox is not led to the gift of the old one. */
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { digest, SecretBox } from '#libs/domain';
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import { SendPortalLink } from './send-portal-link';
import { VisitClaim } from './visit-claim';
import { VisitPortal } from './visit-portal';
import { keptBy } from './wallets-open.fake';

describe('a gift that waits for a payee whose address is changed by way of another country', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    Object.assign(world.rail, {
      payeeLink: async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' }),
      handedOver: async () => undefined,
    });
    client = await world.client({ coolDownSeconds: 86_400, rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  const openedBy = async (address: string): Promise<string | null> => {
    const mail = await world.db.row<{ id: string; sealedLink: string }>(
      `SELECT * FROM mails WHERE kind = 'portal_link' AND to_address = $1`,
      [address],
    );
    if (!mail) return null;
    const { masterKeys } = world.module.get<Config>(CONFIG, { strict: false });
    const link = new SecretBox(masterKeys).open(mail.sealedLink, `mail-link:${mail.id}`);
    const [, token = ''] = /portal\/open\/([A-Za-z0-9_-]{43})$/.exec(link) ?? [];
    return keptBy(world, token);
  };

  test('is handed over to nobody while they would cool down', async () => {
    world.rail.answers = () => waits();
    const payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const { externalId } = payee;
    for (const change of [{ country: null }, { email: 'thief@example.com' }])
      await world.get(UpsertPayee).run(client, { externalId, ...change });
    await world
      .get(SendPortalLink)
      .run(client, payee.id)
      .catch(() => undefined);
    const kept = await openedBy('thief@example.com');
    const [session] = kept === null ? [] : await world.get(PortalAccessReads).sessions([digest(kept)]);
    const visitor = session && (await world.get(VisitPortal).visitor(session));
    const visit = visitor && (await world.get(VisitClaim).own(visitor, id));
    expect((visit && (await world.get(LeadPayee).run(visit))) ?? null).toBeNull();
  });
});

/** A leaked key gives a payee another address while no rail pays to it: the new mailbox gets none of what waits for them. */
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { digest, SecretBox } from '#libs/domain';
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalModule } from '../portal.module';
import { ChooseDestination } from './choose-destination';
import { SendPortalLink } from './send-portal-link';
import { VisitClaim } from './visit-claim';
import { VisitPortal } from './visit-portal';
import { keptBy } from './wallets-open.fake';

const NEW = 'thief@example.com';

describe('an address that is changed by way of another country', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client({ coolDownSeconds: 86_400, rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  /** What whoever reads that mailbox gets by a click. */
  const openedBy = async (address: string): Promise<string | null> => {
    const mail = await world.db.row<{ id: string; sealedLink: string }>(
      `SELECT * FROM mails WHERE client_id = $1 AND kind = 'portal_link' AND to_address = $2 ORDER BY id DESC LIMIT 1`,
      [client.id, address],
    );
    if (!mail) return null;
    const { masterKeys } = world.module.get<Config>(CONFIG, { strict: false });
    const link = new SecretBox(masterKeys).open(mail.sealedLink, `mail-link:${mail.id}`);
    const [, token = ''] = /portal\/open\/([A-Za-z0-9_-]{43})$/.exec(link) ?? [];
    return keptBy(world, token);
  };

  test.each([
    ['one of another kind of rail', 'FR'],
    ['none', null],
  ])('by way of %s, does not let its mailbox say where money goes that waits', async (name, detour) => {
    const address = `${name.length}.${NEW}`;
    world.rail.answers = () => waits();
    const payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    world.rail.knows.set(railKey, waits());
    const { externalId } = payee;
    for (const change of [{ country: detour }, { email: address }])
      await world.get(UpsertPayee).run(client, { externalId, ...change });
    await world
      .get(SendPortalLink)
      .run(client, payee.id)
      .catch(() => undefined);
    await world.get(UpsertPayee).run(client, { externalId, country: 'IT' });
    const kept = await openedBy(address);
    const [session] = kept === null ? [] : await world.get(PortalAccessReads).sessions([digest(kept)]);
    const visitor = session && (await world.get(VisitPortal).visitor(session));
    const visit = visitor && (await world.get(VisitClaim).own(visitor, id));
    const chosen = visit && (await world.get(ChooseDestination).begin(visit, 'wallet-of-the-thief'));
    expect(chosen?.kind).not.toBe('taken');
    expect((await world.payout(id)).legs.at(-1)?.destination).toBeUndefined();
  });

  const changed = async (payee: { externalId: string }, ...changes: object[]): Promise<void> => {
    for (const change of changes) await world.get(UpsertPayee).run(client, { externalId: payee.externalId, ...change });
  };

  test.each([null, 'FR'])('is told to the mailbox of before all the same, also by way of %s', async (detour) => {
    const email = `before.${detour}@example.com`;
    const payee = await world.payee(client, { country: 'IT', email });
    await changed(payee, { country: detour }, { email: 'after@example.com' }, { country: 'IT' });
    const told = await world.db.rows('SELECT kind FROM mails WHERE to_address = $1', [email]);
    expect(told).toEqual([{ kind: 'details_changed' }]);
  });

  test('keeps nobody from their first account whom nothing was ever paid by it', async () => {
    const payee = await world.payee(client, { country: 'FR', email: 'mistyped@example.com' });
    await changed(payee, { email: 'corrected@example.com' });
    await expect(world.adopt(client, payee)).resolves.toBeDefined();
  });

  test('keeps whom something was paid by it from an account, whatever rail they are on by then', async () => {
    world.rail.answers = () => waits();
    const payee = await world.payee(client, { country: 'IT', email: 'paid@example.com' });
    await world.drive((await world.pay(client, payee)).id);
    await changed(payee, { country: 'FR' }, { email: 'another@example.com' });
    await expect(world.adopt(client, payee)).rejects.toMatchObject({ code: 'payee_cooling_down' });
  });
});

/** A link into a wallet is asked for while its payee gets another address: the old mailbox opens nothing after that. */
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { type Payee, PayeeReads, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { digest, SecretBox } from '#libs/domain';
import { PayoutReads } from '#libs/payouts';
import { PortalAccessReads } from '../db/portal-access.reads';
import { ChooseDestination } from './choose-destination';
import { VisitClaim } from './visit-claim';
import { PortalModule } from '../portal.module';
import { SendPortalLink } from './send-portal-link';
import { VisitPortal } from './visit-portal';
import { keptBy } from './wallets-open.fake';

const OLD = 'old@example.com';

describe('a link into a wallet', () => {
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
  afterEach(() => jest.restoreAllMocks());

  const changes = (): Promise<Payee> => {
    const { externalId, name, country } = payee;
    return world.get(UpsertPayee).run(client, { externalId, name, country, email: 'new@example.com' });
  };
  const sends = (): Promise<Date> => world.get(SendPortalLink).run(client, payee.id, true);

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
    expect(token).not.toBe('');
    return keptBy(world, token);
  };

  test('that is asked for before the change opens nothing after it', async () => {
    await sends();
    await changes();
    expect(await openedBy(OLD)).toBeNull();
  });

  test('whose payee was read before the change, and which is made after it, does not let the old mailbox in', async () => {
    const reads = world.get(PayeeReads);
    const find = reads.find.bind(reads);
    jest.spyOn(reads, 'find').mockImplementationOnce(async (...asked) => {
      const found = await find(...asked);
      await changes(); // the process stands still here
      return found;
    });
    await sends().catch(() => undefined);
    expect(await openedBy(OLD)).toBeNull();
  });

  test('that is asked for while the change is written, and not yet committed, does not let the old mailbox in', async () => {
    let written = (): void => undefined;
    let goOn = (): void => undefined;
    const isWritten = new Promise<void>((resolve) => (written = resolve));
    const mayCommit = new Promise<void>((resolve) => (goOn = resolve));
    const changing = world.db.inTransaction(async () => {
      await changes();
      written();
      await mayCommit;
    });
    await isWritten;
    const sending = sends().catch(() => undefined);
    await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    goOn();
    await Promise.all([changing, sending]);
    expect(await openedBy(OLD)).toBeNull();
  });

  test('does not let the old mailbox say where money goes that waits', async () => {
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const { railKey } = await world.payout(id);
    world.rail.knows.set(railKey, waits());
    const reads = world.get(PayeeReads);
    const find = reads.find.bind(reads);
    jest.spyOn(reads, 'find').mockImplementationOnce(async (...asked) => {
      const found = await find(...asked);
      await changes(); // the process stands still here
      return found;
    });
    await sends().catch(() => undefined);
    const kept = await openedBy(OLD);
    const [session] = kept === null ? [] : await world.get(PortalAccessReads).sessions([digest(kept)]);
    const visitor = session && (await world.get(VisitPortal).visitor(session));
    const visit = visitor && (await world.get(VisitClaim).own(visitor, id));
    const chosen = visit && (await world.get(ChooseDestination).begin(visit, 'address-of-the-old-mailbox'));
    expect(chosen?.kind).not.toBe('taken');
    expect((await world.get(PayoutReads).find(id))?.legs.at(-1)?.destination).toBeUndefined();
  });
});

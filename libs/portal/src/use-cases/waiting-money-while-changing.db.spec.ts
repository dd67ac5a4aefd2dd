/** Money is credited, and mailed about, while its payee gets another address: the old mailbox has no link that outlives the change (ADR 65). */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { SecretBox } from '#libs/domain';
import { type Payee, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PushDisbursements } from '../../../disbursements/src/use-cases/push-disbursements';
import { PortalModule } from '../portal.module';
import { FindPageLink } from './find-page-link';
import { VisitPortal } from './visit-portal';

const OLD = 'old@example.com';

describe('the link in a mail about waiting money', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    payee = await world.payee(client, { country: 'FR', email: OLD });
  });

  const changes = (): Promise<Payee> => {
    const { externalId, name, country } = payee;
    return world.get(UpsertPayee).run(client, { externalId, name, country, email: 'new@example.com' });
  };
  const credits = (): Promise<unknown> =>
    world
      .get(PushDisbursements)
      .run(
        client,
        [{ payeeId: payee.id, externalRef: randomUUID(), amountCents: 500, currency: 'USD' } as never],
        true,
      );

  /** Whether the link that this mailbox got still leads to the payee. */
  const leadsToThem = async (address: string): Promise<boolean> => {
    const mail = await world.db.row<{ id: string; sealedLink: string }>(
      `SELECT * FROM mails WHERE client_id = $1 AND kind = 'money_waiting' AND to_address = $2 ORDER BY id DESC LIMIT 1`,
      [client.id, address],
    );
    if (!mail) return false;
    const { masterKeys } = world.module.get<Config>(CONFIG, { strict: false });
    const url = new SecretBox(masterKeys).open(mail.sealedLink, `mail-link:${mail.id}`);
    const link = await world.get(FindPageLink).wallet(url.split('/').at(-1) as string);
    return link !== null && (await world.get(VisitPortal).behindLink(link)) !== null;
  };

  test('is over with the address, if the money was credited while the change was written and not yet committed', async () => {
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
    const crediting = credits();
    await Promise.race([crediting, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    goOn();
    await Promise.all([changing, crediting]);
    expect(await leadsToThem(OLD)).toBe(false);
  });
});

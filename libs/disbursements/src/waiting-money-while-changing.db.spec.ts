/** Money is credited, and mailed about, while its payee gets another address: the old mailbox has no link that outlives the change (ADR 65). */
import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { WalletLinks } from '#libs/claim-links';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { DatabaseClock } from '#libs/db';
import { SecretBox } from '#libs/domain';
import { MailOutbox } from '#libs/mail';
import { LockPayees, type Payee, PayeeReads, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { DisbursementsModule } from './disbursements.module';
import { PushDisbursements } from './use-cases/push-disbursements';

const OLD = 'old@example.com';

describe('the link in a mail about waiting money', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [DisbursementsModule],
      does: (name) => name.startsWith('owed') || name === 'mail.send',
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

  /** Whether the link that this mailbox got still leads to the payee: as the wallet has it, it is over with a change since it was made. */
  const leadsToThem = async (address: string): Promise<boolean> => {
    const mail = await world.db.row<{ id: string; sealedLink: string }>(
      `SELECT * FROM mails WHERE client_id = $1 AND kind = 'money_waiting' AND to_address = $2 ORDER BY id DESC LIMIT 1`,
      [client.id, address],
    );
    if (!mail) return false;
    const { masterKeys } = world.module.get<Config>(CONFIG, { strict: false });
    const url = new SecretBox(masterKeys).open(mail.sealedLink, `mail-link:${mail.id}`);
    const link = world.get(WalletLinks).read(url.split('/').at(-1) as string);
    const now = await world.get(PayeeReads).find(client.id, payee.id);
    if (!link || !now) throw new Error('The link is of nobody.');
    return now.emailChangedAt === null || now.emailChangedAt < link.madeAt(now.createdAt);
  };

  /** Credits while somebody else's transaction did this and is not committed yet. */
  const creditsWhile = async (work: () => Promise<unknown>): Promise<void> => {
    let done = (): void => undefined;
    let goOn = (): void => undefined;
    const isDone = new Promise<void>((resolve) => (done = resolve));
    const mayCommit = new Promise<void>((resolve) => (goOn = resolve));
    const holding = world.db.inTransaction(async () => {
      await work();
      done();
      await mayCommit;
    });
    await Promise.race([isDone, holding]);
    await credits().finally(goOn);
    await holding;
  };

  /** Credits once the change is written, and before it is told to both mailboxes: from then on whoever mails for this client waits for its commit. */
  const creditsBeforeItIsTold = async (): Promise<void> => {
    const outbox = world.get(MailOutbox);
    const queue = outbox.queue.bind(outbox);
    const elsewhere = AsyncResource.bind(credits);
    const told = jest.spyOn(outbox, 'queue').mockImplementationOnce(async (mails) => {
      await elsewhere();
      return queue(mails);
    });
    await changes().finally(() => told.mockRestore());
  };

  /** Of a machine that takes the time for later than it is. */
  const ahead = async (work: () => Promise<unknown>): Promise<void> => {
    const clock = world.get(DatabaseClock);
    const late = new Date(clock.now().getTime() + 5_000);
    const now = jest.spyOn(clock, 'now').mockReturnValue(late);
    await work().finally(() => now.mockRestore());
  };

  test('is over with the address, if the money was credited while the change was written and not yet committed', async () => {
    await creditsBeforeItIsTold();
    expect(await leadsToThem(OLD)).toBe(false);
  });

  test('is over with the address, if a machine credited that takes the time for later than it is', async () => {
    await ahead(credits);
    await changes();
    expect(await leadsToThem(OLD)).toBe(false);
  });

  test('leads to their wallet, if somebody held them meanwhile and changed nothing', async () => {
    await creditsWhile(() => world.get(LockPayees).hold(payee.id));
    expect(await leadsToThem(OLD)).toBe(true);
  });

  test('leads to their wallet right after a change, whatever the machine took the time for that changed them', async () => {
    await ahead(changes);
    await credits();
    expect(await leadsToThem('new@example.com')).toBe(true);
  });
});

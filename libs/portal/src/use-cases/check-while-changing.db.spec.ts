/** A payee gets another address, or is blocked, while the old mailbox, in the wallet that closes by that, is led to where they are checked. */
import type { Client } from '#libs/clients';
import { BlockPayee, type Payee, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { GoToCheck } from './go-to-check';
import { visitOf } from './wallets-open.fake';

describe('a click that leads a payee to where they are checked', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let whileAsked = async (): Promise<unknown> => undefined;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    const payeeCheckLink = async () => {
      await whileAsked();
      return { kind: 'link', url: 'https://rail.example/check', expiresAt: null };
    };
    Object.assign(world.rail, { payeeCheckLink });
    client = await world.client({ rateLimitPerMinute: 1_000, checksPayees: true });
  });
  afterAll(() => world.stop());

  test.each([
    ['leads there while the wallet is open', null],
    ['leads nobody there whose wallet closed while their standing was asked for', 'before'],
    ['leads nobody there whose wallet closed while the link was made', 'meanwhile'],
    ['leads nobody there who was blocked while their standing was asked for', 'blocked before'],
    ['leads nobody there who was blocked while the link was made', 'blocked meanwhile'],
  ])('%s', async (_, changed) => {
    await world.wants(client, false);
    payee = await world.payee(client, { country: 'IT', email: 'old@example.com' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    await world.wants(client, true);
    const visit = await visitOf(world, client, payee, id);
    const { externalId } = payee;
    const changes = () =>
      changed?.startsWith('blocked')
        ? world.get(BlockPayee).run(payee.id, true, 'looked into')
        : world.get(UpsertPayee).run(client, { externalId, email: 'new@example.com' });
    if (changed?.endsWith('before')) await changes();
    whileAsked = async () => changed?.endsWith('meanwhile') && changes();
    expect((await world.get(GoToCheck).run(visit, 'en')).kind === 'go').toBe(changed === null);
  });
});

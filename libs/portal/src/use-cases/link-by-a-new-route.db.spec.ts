/**
 * A payee who is paid by their address since a route changed a moment ago, and whose address is another since a short while: no link into their wallet
 * goes to the new mailbox while they cool down, whether or not they are resolved again yet. Accounts are adopted and opened by the same rule.
 */
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld } from '#libs/payouts/testing';
import { SendPortalLink } from './send-portal-link';
import { startWalletWorld } from './wallets-open.fake';

describe('a link into a wallet, while a route is new', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startWalletWorld();
  });
  afterAll(() => world.stop());

  test.each([true, false])('goes to no address that changed a short while ago (resolved: %s)', async (isResolved) => {
    await world.route('NO', 'custodial_a');
    const client = await world.client();
    const payee = await world.payee(client, { country: 'NO', email: 'old@example.com' });
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
    await world.route('NO', 'claim_rail');
    if (isResolved) await world.work('payees.resolve', client.id);
    await expect(world.adopt(client, payee)).rejects.toMatchObject({ code: 'payee_cooling_down' });
    await expect(world.get(SendPortalLink).run(client, payee.id)).rejects.toMatchObject({ code: 'payee_cooling_down' });
  });
});

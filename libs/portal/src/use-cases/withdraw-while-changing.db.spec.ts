/** In a wallet that closes, for its payee has another address, a withdrawal is confirmed at the same moment. */
import { BalanceBook } from '#libs/balances';
import type { Client } from '#libs/clients';
import { DisbursementsModule } from '#libs/disbursements';
import { OwedScene } from '#libs/disbursements/testing';
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { visitorOf } from './wallets-open.fake';
import { sumsOf, WithdrawFromPortal } from './withdraw-from-portal';

describe('a withdrawal from a wallet', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule, DisbursementsModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  test('asked for by who the payee was before, and made after they changed, moves nothing', async () => {
    const scene = await OwedScene.of(world, client, 'FR', { email: 'old@example.com' });
    const { payee } = scene;
    await scene.push(6_000);
    const who = await visitorOf(world, client, payee);
    const shown = sumsOf(await world.get(BalanceBook).allOf(payee.id));
    const { externalId, name, country } = payee;
    await world.get(UpsertPayee).run(client, { externalId, name, country, email: 'new@example.com' }); // the process stands still here
    await world.get(WithdrawFromPortal).run(who, shown);
    const payouts = await world.db.rows('SELECT status, destination FROM payouts WHERE payee_id = $1', [payee.id]);
    expect(payouts).toEqual([]);
  });
});

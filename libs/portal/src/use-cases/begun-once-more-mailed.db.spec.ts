/**
 * A payee said where their money goes. Before it was sent their client corrected their address, and the money waits for them once more: they
 * think that it is on its way, so they have to be told, as after an address that was refused.
 */
import type { Client } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import { BeginLeg } from '#libs/payouts';
import { legsScene, type MoneyWorld, waits } from '#libs/payouts/testing';
import { RailLanes } from '#libs/rail-registry';
import { MailAboutPayout } from './mail-about-payout';
import { startWalletWorld } from './wallets-open.fake';

describe('money that goes back to its payee after they said where it goes', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startWalletWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));

  test('is told to whom it waits for', async () => {
    says({ first: waits() });
    const { id, payeeId, provider } = await pay('IT');
    await drive(await world.payout(id));
    const payout = await world.payout(id);
    knows(payout, waits());
    const { externalId } = payout;
    await world.db.execute("UPDATE payees SET email = 'old@example.com' WHERE id = $1", [payeeId]);
    const mails = async (): Promise<string[]> =>
      (
        await world.db.rows<{ kind: string; recipient: string }>(
          `SELECT kind FROM mails WHERE kind <> 'details_changed' AND client_id = $1 ORDER BY created_at`,
          [client.id],
        )
      ).map(({ kind }) => kind);
    await world.get(MailAboutPayout).run(id);
    expect(await mails()).toEqual(['claim_link']);

    await world.get(RailLanes).pause(provider ?? '', 60, 'maintenance');
    await world.get(BeginLeg).run(await world.payout(id), 'wallet-1');
    await world.get(UpsertPayee).run(client, { externalId, email: 'new@example.com' });
    expect(await drive(payout)).toMatchObject({ status: 'submitted', claimUrl: 'page:open', claimedAt: null });
    await world.get(MailAboutPayout).run(id);
    expect(await mails()).toHaveLength(2);
  });
});

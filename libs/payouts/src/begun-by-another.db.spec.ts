/** Money that waits for its payee, begun by who is not the payee any more, and never sent: the old mailbox said where it goes. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { UpsertPayee } from '#libs/payees';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';
import { RailLanes } from '#libs/rail-registry';
import { BeginLeg } from './use-cases/begin-leg';

describe('a payout whose payee became somebody else after they said where it goes, and before it was sent', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => void (world = await startMoneyWorld()));
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  const drains = ({ id }: Payout) => world.rail.calls.filter(({ order, leg }) => order.payoutId === id && leg);

  test('is not sent there', async () => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    const before = await world.payout(payout.id);
    // Its lane is closed for a while: nothing is sent meanwhile.
    await world.get(RailLanes).pause(before.provider ?? '', 60, 'maintenance');
    await world.get(BeginLeg).run(before, 'wallet-of-the-old-mailbox');
    const known = await world.db.row<{ externalId: string }>('SELECT external_id FROM payees WHERE id = $1', [payout.payeeId]);
    await world.db.execute("UPDATE payees SET email = coalesce(email, 'old@example.com') WHERE id = $1", [payout.payeeId]);
    await world.get(UpsertPayee).run(client, { externalId: known?.externalId ?? '', email: 'new@example.com' });
    await world.get(RailLanes).open(before.provider ?? '', ['not_now']);
    world.rail.answers = null;
    says({ drain: settled() });
    await drive(payout, 2);
    expect(drains(payout).map(({ leg }) => leg?.destination)).toEqual([]);
  });
});

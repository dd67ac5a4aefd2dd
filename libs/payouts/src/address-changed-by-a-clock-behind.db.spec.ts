/**
 * A payout was made, or its payee said where it goes, and the database fails over to a host whose clock is behind (ADR 54, 128). Its payee gets another
 * address since: by the clock that came before, whatever really came first. What was held before the change still waits for the cool-down (point 4), and what
 * the old mailbox began and was never sent still goes back (ADR 100).
 */
import { type Client, KeepClients } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { RailLanes } from '#libs/rail-registry';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';
import { RemedyPayout } from './use-cases/remedy-payout';

describe.each(['0 s', '1 hour'])('after the clock of the database was set back by %s', (by) => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => void (world = await startMoneyWorld()));
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  /** What was written as now() is so much ahead of the clock from here on. */
  const setBack = ({ id }: Payout): Promise<unknown> =>
    world.db.execute(
      `UPDATE payouts SET created_at = created_at + $2::interval, updated_at = updated_at + $2::interval,
         claimed_at = claimed_at + $2::interval WHERE id = $1`,
      [id, by],
    );
  const getsAnotherAddress = async ({ payeeId }: Payout): Promise<void> => {
    const known = await world.db.row<{ externalId: string }>('SELECT external_id FROM payees WHERE id = $1', [payeeId]);
    await world.get(UpsertPayee).run(client, { externalId: known?.externalId ?? '', email: 'new@example.com' });
  };

  test('a payout that was held before the change waits for the cool-down', async () => {
    client = await world.client({ coolDownSeconds: 3_600, caps: { singleCents: 500 } });
    const made = await world.pay(client, await world.payee(client, { country: 'DE', email: 'old@example.com' }), 900);
    expect(made.status).toBe('held');
    await setBack(made);
    await getsAnotherAddress(made);
    await world.db.inTransaction(() => world.get(KeepClients).change(client.id, { caps: {} }));
    await world.get(RemedyPayout).release(await world.payout(made.id), 'client');
    expect(await world.status(made.id)).toBe('held');
  });

  test('money that the old mailbox began, and that was never sent, does not go where it said', async () => {
    client = await world.client();
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    await world.db.execute("UPDATE payees SET email = 'old@example.com' WHERE id = $1", [payout.payeeId]);
    await world.get(RailLanes).pause(payout.provider ?? '', 60, 'maintenance');
    await world.get(BeginLeg).run(await world.payout(payout.id), 'wallet-of-the-old-mailbox');
    await setBack(payout);
    await getsAnotherAddress(payout);
    await world.get(RailLanes).open(payout.provider ?? '', ['not_now']);
    says({ drain: settled() });
    await drive(payout, 2);
    const drains = world.rail.calls.flatMap(({ leg }) => (leg ? [leg.destination] : []));
    expect(drains).toEqual([]);
  });
});

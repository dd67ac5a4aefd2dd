/**
 * A client wants its payees checked from now on, says so at another process, and the word of it has not come here yet: what waits is
 * protected all the same (ADR 93), where the payee says where to, and where the call is made.
 */
import { type Client, ClientRegistry } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { Rails } from '#libs/rail-registry';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';

describe('the money of a payee whose client wants them checked since a moment ago', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    Object.assign(world.get(Rails).traits('swap_rail') ?? {}, { checksPayees: 'on_request' });
    client = await world.client();
    world.rail.check = { kind: 'to_do' };
  });

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  const waiting = async (): Promise<Payout> => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    says({ drain: settled() });
    return world.payout(payout.id);
  };
  const drains = ({ id }: Payout): (string | undefined)[] =>
    world.rail.calls.flatMap(({ order, leg }) => (order.payoutId === id && leg ? [leg.destination] : []));
  const wantedElsewhere = async (): Promise<void> => {
    await world.get(ClientRegistry).byId(client.id); // as for any click
    await world.db.execute('UPDATE clients SET checks_payees = true WHERE id = $1', [client.id]);
  };

  test('is not begun', async () => {
    const payout = await waiting();
    await wantedElsewhere();
    await expect(world.get(BeginLeg).run(payout, 'wallet-1')).rejects.toMatchObject({ code: 'payee_not_checked' });
  });

  test('that was begun before does not leave', async () => {
    const payout = await waiting();
    await world.get(BeginLeg).run(payout, 'wallet-1');
    await wantedElsewhere();
    await drive(payout);
    expect(drains(payout)).toEqual([]);
  });
});

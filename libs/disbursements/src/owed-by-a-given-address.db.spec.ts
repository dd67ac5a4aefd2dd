/** Money that is credited by an address which a leaked key gave to an older payee a moment ago. */
import { UpsertPayee } from '#libs/payees';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { PushDisbursements } from './use-cases/push-disbursements';

describe('money that is owed by address', () => {
  let world: MoneyWorld;
  beforeAll(async () => void (world = await startOwedWorld()));
  afterAll(() => world.stop());

  test('is not withdrawn to the account of an older payee who was given that address a moment ago', async () => {
    world.rail.answers = () => accepted();
    const client = await world.client();
    const eve = await OwedScene.of(world, client, 'FR', { email: 'eve@example.com' });
    await OwedScene.of(world, client, 'FR', { email: 'ada@example.com' });
    await world.get(UpsertPayee).run(client, { externalId: eve.payee.externalId, email: 'ada@example.com' });
    const row = { email: 'ada@example.com', amountCents: 6_000, currency: 'USD', externalRef: 'salary' };
    await world.get(PushDisbursements).run(client, [row], false);
    expect(await eve.outcome()).not.toEqual([6_000]);
  });
});

/** A row that was on two payouts waits for a word about either of them: one that its rail paid after all need not be the last that it was on. */
import type { Client } from '#libs/clients';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { LinkRecovery } from './use-cases/link-recovery';

describe('a recovery link', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  test('of a row whose money moved under the first payout that it was on is refused', async () => {
    const row = await scene.push(6_000);
    const first = await scene.refusedWithdrawal();
    world.rail.knows.set(first.railKey, refused());
    await scene.push(1_000);
    const last = await scene.refusedWithdrawal();
    world.rail.knows.set(last.railKey, refused());
    const replacement = await world.pay(client, scene.payee, 6_000);
    world.rail.answers = () => accepted();
    await world.drive(replacement.id);
    world.rail.answers = null;
    await scene.tells(first, settled());
    expect(await scene.openDrift(first)).toHaveLength(1);
    const link = { replacementTransactionId: replacement.id, disbursementIds: [row] };
    await expect(world.get(LinkRecovery).run(client, link)).rejects.toMatchObject({
      code: 'superseded_transaction_not_failed',
    });
    expect(await scene.statuses(row)).toEqual(['owed']);
  });
});

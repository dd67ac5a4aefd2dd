/** The book itself keeps a row that went on to another payout from being called paid as an earlier one, and one that is owed from being owed again. */
import type { Client } from '#libs/clients';
import { DisbursementBook } from '#libs/owed';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of what is owed', () => {
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

  const written = (id: string) => world.db.rows('SELECT status, transaction_id FROM disbursements WHERE id = $1', [id]);

  test('that left with a later payout are not called paid as an earlier one', async () => {
    const row = await scene.push(6_000);
    const earlier = await scene.refusedWithdrawal('permanent');
    world.rail.answers = () => accepted();
    const [later] = await scene.withdraw();
    const before = await written(row);
    expect(before).toEqual([{ status: 'released', transactionId: later?.id }]);
    const book = world.get(DisbursementBook);
    await expect(world.db.inTransaction(() => book.payAs(earlier.id, [row]))).rejects.toThrow('were owed');
    expect(await written(row)).toEqual(before);
  });

  test('that are owed are not owed once more', async () => {
    const row = await scene.push(6_000);
    const { id } = await scene.refusedWithdrawal('permanent');
    const book = world.get(DisbursementBook);
    await expect(world.db.inTransaction(() => book.oweAgain(id, [row]))).rejects.toThrow('were called paid');
    expect(await scene.statuses(row)).toEqual(['owed']);
  });
});

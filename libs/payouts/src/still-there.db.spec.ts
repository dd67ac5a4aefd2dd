/** What tells of a payout is written only while that is there. */
import { type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { PayoutReads } from './db/payout.reads';

describe('work about a payout', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
    world.rail.answers = () => settled();
  });
  afterAll(() => world.stop());

  const paid = async (): Promise<string> => {
    const client = await world.client();
    return (await world.pay(client, await world.payee(client, { country: 'ES' }))).id;
  };
  const TRAIL = 'DELETE FROM payout_trail WHERE payout_id = $1';

  test('is done while it is there, and nobody takes it away meanwhile', async () => {
    const id = await paid();
    let isBarred = false;
    await world.get(PayoutReads).ifStillThere(id, async () => {
      const taken = world.db.outsideTransaction(() =>
        world.db.rows('SELECT FROM payouts WHERE id = $1 FOR UPDATE SKIP LOCKED', [id]),
      );
      isBarred = (await taken).length === 0;
    });
    expect(isBarred).toBe(true);
  });

  test('is not done once it is gone', async () => {
    const id = await paid();
    await world.db.execute('ALTER TABLE payout_trail DISABLE TRIGGER USER');
    await world.db.execute(TRAIL, [id]);
    await world.db.execute('ALTER TABLE payout_trail ENABLE TRIGGER USER');
    await world.db.execute('DELETE FROM payouts WHERE id = $1', [id]);
    const work = jest.fn();
    await world.get(PayoutReads).ifStillThere(id, work);
    expect(work).not.toHaveBeenCalled();
  });
});

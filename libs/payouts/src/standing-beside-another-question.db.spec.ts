/**
 * Two questions about one account are under way together. The one that was put first is answered last, and hears that the account cannot be paid. By
 * their dates nobody knows which answer is younger, so the account is asked about once more, soon (3, 5).
 */
import { happening } from '#libs/db/testing';
import { type Method, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('an account that cannot be paid, as a question hears that was put before another one', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each([
    [true, 0],
    [false, 1],
  ])('is asked about once more, if the answers differ (payable: %s)', async (payable, due) => {
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
    const isDue = () => world.db.rows('SELECT FROM methods WHERE id = $1 AND ask_at <= now()', [method.id]);
    const reads = () => world.get(ReadAccount).run(client, method);
    await reads();
    const [isPut, mayAnswer] = [happening(), happening()];
    jest.spyOn(world.rail, 'readAccount').mockImplementationOnce(async () => {
      isPut.happens();
      await mayAnswer.promise;
      return { ...PAYABLE, payable };
    });
    const reading = reads();
    await isPut.promise;
    await reads();
    expect(await isDue()).toHaveLength(0);
    mayAnswer.happens();
    expect(await reading).toBe('same');
    expect(await isDue()).toHaveLength(due);
  });
});

/**
 * As standing-beside-another-question, the other way round: of two questions about one account that are under way together, the one that was put last hears
 * that it can be paid, and is answered late; meanwhile the one that was put first hears that it cannot be paid. By their dates nobody knows which answer
 * is younger, so the account is asked about once more, soon (3, 5): no payout is sent by the older one.
 */
import { happening } from '#libs/db/testing';
import { type Method, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const DUE = `SELECT FROM methods WHERE id = $1 AND ask_at <= now() + $2 * interval '1 second'`;

describe('an account that cannot be paid, as a question hears that was put before another one, and answered first', () => {
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
    const isDueIn = (seconds: number) => world.db.rows(DUE, [method.id, seconds]);
    const reads = () => world.get(ReadAccount).run(client, method);
    await reads();
    const put = [happening(), happening()];
    const mayAnswer = [happening(), happening()];
    const readAccount = jest.spyOn(world.rail, 'readAccount');
    for (const [place, answer] of [payable, true].entries())
      readAccount.mockImplementationOnce(async () => {
        put[place]?.happens();
        await mayAnswer[place]?.promise;
        return { ...PAYABLE, payable: answer };
      });
    const first = reads();
    await put[0]?.promise;
    const last = reads();
    await put[1]?.promise;
    mayAnswer[0]?.happens(); // both were put: this answer may be younger than the other one
    await first;
    mayAnswer[1]?.happens();
    await last;
    expect(await isDueIn(30)).toHaveLength(due);
  });
});

/**
 * As `standing-beside-a-later-question`, but the question that was put last is that of a caller who names the same account again: it hears that the account
 * can be paid, and its answer is on its way for long. Meanwhile the one that was put first hears that it cannot. Which answer is younger nobody knows:
 * the account is asked about once more, soon (3, 5).
 */
import { happening } from '#libs/db/testing';
import { type Method, ReadAccount } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

const DUE = `SELECT FROM methods WHERE id = $1 AND ask_at <= now() + interval '60 seconds'`;

describe('an account that cannot be paid, as a question hears that was put before it was adopted once more', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each(['a question', 'an adoption'])('is asked about once more (%s was put last)', async (what) => {
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
    const reads = () => world.get(ReadAccount).run(client, method);
    await reads();
    const put = [happening(), happening()];
    const mayAnswer = [happening(), happening()];
    const readAccount = jest.spyOn(world.rail, 'readAccount');
    for (const [place, payable] of [false, true].entries())
      readAccount.mockImplementationOnce(async () => {
        put[place]?.happens();
        await mayAnswer[place]?.promise;
        return { ...PAYABLE, payable };
      });
    const first = reads();
    await put[0]?.promise;
    const last: Promise<unknown> = what === 'a question' ? reads() : world.adopt(client, payee, account);
    await put[1]?.promise;
    mayAnswer[0]?.happens();
    await first;
    mayAnswer[1]?.happens();
    await last;
    expect(await world.db.rows(DUE, [method.id])).toHaveLength(1);
  });
});

/**
 * What clients let go on by itself comes round, also if another client has very many whose cause no row shows: those are answered with each
 * look, and the look ends with them.
 */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { HeldReads, type MoneyWorld, othersLike, startMoneyWorld } from '../testing/src';
import { ReleaseCleared } from './use-cases/release-cleared';

/** 500 in production, and as many payees of the other client. */
const AT_A_TIME = 5;

describe('payouts whose cause is gone', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each([0, AT_A_TIME])(
    'go on behind payees who still show it, beside %s payees of another client who stay held',
    async (many) => {
      await world.db.execute(`UPDATE clients SET status = 'suspended'`); // those of other tests
      if (many > 0) {
        const large = await world.client({ autoRelease: ['no_rail'] });
        const unserved = await world.payee(large, { country: 'JP' });
        await world.pay(large, unserved);
        await othersLike(world, unserved, many);
      }
      const small = await world.client({ autoRelease: ['missing_name'] });
      const nameless = async (client: Client): Promise<Payee> => {
        const payee = await world.payee(client);
        await world.db.execute('UPDATE payees SET name = NULL WHERE id = $1', [payee.id]);
        await world.pay(client, payee);
        return payee;
      };
      for (let count = 0; count < 2 * AT_A_TIME; count += 1) await nameless(small);
      const [last] = await world.db.rows<{ id: string; payoutId: string }>(
        `SELECT payee_id AS id, id AS payout_id FROM payouts WHERE client_id = $1 ORDER BY payee_id DESC LIMIT 1`,
        [small.id],
      );
      await world.db.execute(`UPDATE payees SET name = 'Grace Hopper' WHERE id = $1`, [last?.id]);
      const reads = world.get(HeldReads);
      const maybeCleared = reads.maybeCleared.bind(reads);
      jest
        .spyOn(reads, 'maybeCleared')
        .mockImplementation((before, _payees, each) => maybeCleared(before, AT_A_TIME, each));
      for (let look = 0; look < 40; look += 1) await world.get(ReleaseCleared).run();
      expect(await world.status(last?.payoutId ?? '')).toBe('authorized');
    },
    120_000,
  );
});

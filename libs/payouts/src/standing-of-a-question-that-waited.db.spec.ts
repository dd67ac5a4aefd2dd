/**
 * A question about an account waits before it is put: for its rail's credentials, for its turn in the rail's row, or because its process stands still.
 * Meanwhile another one is put, and hears that the account is payable. What the first one hears is younger: it is payable no more. That is not dropped
 * as the older answer, and what is to be sent to the account is held with `not_payable` (3, 5).
 */
import type { Client } from '#libs/clients';
import { happening } from '#libs/db/testing';
import { type Method, PayeeReads, ReadAccount } from '#libs/payees';
import { AccountCaller } from '#libs/rail-registry';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('two answers about an account', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test.each([false, true])(
    'the younger one counts (the question that hears it waited for its turn: %s)',
    async (waits) => {
      world.rail.reset();
      const payee = await world.payee(client, { country: 'FR' });
      const account = await world.adopt(client, payee);
      const method = (await world.db.row<Method>('SELECT * FROM methods WHERE payee_id = $1', [payee.id])) as Method;
      const reads = () => world.get(ReadAccount).run(client, method);
      const [isAsked, hasTurn] = [happening(), happening()];
      const caller = world.get(AccountCaller);
      const read = caller.read.bind(caller);
      if (waits)
        jest.spyOn(caller, 'read').mockImplementationOnce(async (...question) => {
          isAsked.happens();
          await hasTurn.promise;
          return read(...question);
        });
      const reading = waits ? reads() : null;
      if (reading) await isAsked.promise;
      await reads();
      world.rail.accounts.set(account, { ...PAYABLE, payable: false } as typeof PAYABLE);
      hasTurn.happens();
      await (reading ?? reads());
      const { id } = await world.pay(client, payee);
      const [payable, status] = [
        (await world.get(PayeeReads).find(client.id, payee.id))?.payable,
        await world.status(id),
      ];
      expect([payable, status]).toEqual([false, 'held']);
    },
  );
});

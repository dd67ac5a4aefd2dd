/**
 * Rows were refused at an address first, and then, under the same code, at their payee's account. Their payee's mailbox is another one since, and their
 * account is as it was: they are to leave for it under the same code again, so that its rail itself would not pay them twice. It settles the first
 * order after all, once the second one is there.
 */
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows that were refused at an address, and then at an account', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([false, true])(
    'go to that account under one code, once (their mailbox is another: %s)',
    async (isMoved) => {
      world.rail.reset();
      const scene = await OwedScene.of(world, await world.client({ coolDownSeconds: 0 }), 'DE', {
        email: 'old@example.com',
      });
      await scene.push(6_000);
      world.rail.answers = () => refused();
      const [{ id }] = (await scene.withdraw()) as [Payout];
      const atTheAddress = await world.payout(id);
      expect(atTheAddress).toMatchObject({ provider: 'claim_rail', status: 'failed' });
      world.rail.knows.set(atTheAddress.railKey, refused() as LookupFact);

      const account = await world.adopt(scene.client, scene.payee);
      const atTheAccount = await scene.refusedWithdrawal();
      expect(atTheAccount).toMatchObject({
        provider: 'custodial_a',
        accountId: account,
        railKey: atTheAddress.railKey,
      });

      if (isMoved)
        await world
          .get(UpsertPayee)
          .run(scene.client, { externalId: scene.payee.externalId, email: 'new@example.com' });
      // From now on the rail takes what it has, and what comes: once for each code.
      const moved = new Map([[atTheAccount.railKey, 6_000]]);
      world.rail.answers = ({ railKey, amountCents }) => {
        moved.set(railKey, amountCents);
        return settled(railKey);
      };
      const [again] = (await scene.withdraw()) as [Payout];
      await world.drive(again.id);
      const after = await world.payout(again.id);
      expect({ to: after.accountId, status: after.status }).toEqual({ to: account, status: 'paid' });
      expect([...moved.values()].reduce((sum, cents) => sum + cents, 0)).toBe(6_000);
    },
  );
});

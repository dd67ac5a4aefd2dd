/** An operator has rails asked about all that is under way: it may take minutes to come to a payout, which is asked about as it is by then. */
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import { startReconciledWorld } from '../testing/src';
import { ReconcilePayouts } from './use-cases/reconcile-payouts';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const AT_ONCE = 8;

describe('a payout that came to rest while an operator had others asked about', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());

  test('is not sent to find out what became of it', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    world.rail.answers = () => NO_ANSWER;
    const inDoubt: Payout[] = [];
    while (inDoubt.length <= AT_ONCE) {
      const payout = await world.pay(client, payee);
      await world.drive(payout.id);
      await world.age(payout.id, 60);
      world.rail.knows.set(payout.railKey, NO_ANSWER);
      inDoubt.push(payout);
    }
    const last = inDoubt.pop() as Payout;
    let answer = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const reconciling = world.get(ReconcilePayouts).run();
    await Promise.all(inDoubt.map(({ railKey }) => world.rail.lookingUp(railKey)));
    world.rail.lookupGate = Promise.resolve();
    world.rail.knows.set(last.railKey, refused());
    await world.drive(last.id);
    expect(await world.status(last.id)).toBe('failed');
    world.rail.movesNothing.length = 0;
    answer();
    await reconciling;
    expect(world.rail.movesNothing).toEqual(['at_rest']);
  });
});

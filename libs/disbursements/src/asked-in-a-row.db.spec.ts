/**
 * Questions about the payees of one client wait for each other's answers. How old an answer is counts from when its question was put, and
 * not from when it began to wait for its turn.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { PayoutReads } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, standsStill } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

/** As many questions of one client as are put at once. */
const AT_ONCE = 8;
const WAITS_MS = 20_000;

describe('payouts of rows that are asked about side by side', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  /** Its rows were on so many payouts before, each of which its rail refused. */
  const madeAfter = async (refusals: number): Promise<{ payout: Payout; before: Set<string> }> => {
    const scene = await OwedScene.of(world, client);
    const before = new Set<string>();
    for (let n = 0; n < refusals; n += 1) {
      await scene.push(6_000);
      const { railKey } = await scene.refusedWithdrawal();
      world.rail.knows.set(railKey, refused());
      before.add(railKey);
    }
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(payout.status).toBe('authorized');
    return { payout, before };
  };

  test('do not make the answers of each other old', async () => {
    const first = await madeAfter(AT_ONCE);
    const second = await madeAfter(1);
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted();

    let isAnswered = (): void => undefined;
    const answered = new Promise<void>((resolve) => (isAnswered = resolve));
    let put = 0;
    let areAllPut = (): void => undefined;
    const allPut = new Promise<void>((resolve) => (areAllPut = resolve));
    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      if (first.before.has(order.railKey)) {
        put += 1;
        if (put === AT_ONCE) areAllPut();
        await answered;
      }
      return lookup(order, call);
    });
    const driving = [world.work('payout.drive', first.payout.id)];
    await allPut;
    const reads = world.get(PayoutReads);
    const findAll = reads.findAll.bind(reads);
    const waits = new Promise<void>((resolve) => {
      jest.spyOn(reads, 'findAll').mockImplementation(async (ids) => {
        const found = await findAll(ids);
        setImmediate(resolve);
        return found;
      });
    });
    driving.push(world.work('payout.drive', second.payout.id));
    await waits;
    standsStill(world, WAITS_MS);
    isAnswered();
    await Promise.all(driving);
    // The answers about the first one are old by now.
    expect(world.rail.calls.map(({ order }) => order.payoutId)).toEqual([second.payout.id]);
  });
});

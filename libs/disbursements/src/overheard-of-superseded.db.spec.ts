/**
 * Rows of a payout that was refused are on the next one, under the same code. What the first was told before its refusal is heard only now. It
 * is no news of the second, which its rail has under way under another reference.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { AskRail, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, thenDo } from '#libs/payouts/testing';
import type { SubmitAnswer } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('an old word about a payout whose rows went on under the same code', () => {
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

  const drift = async (...payouts: Payout[]): Promise<string[]> =>
    (await Promise.all(payouts.map((payout) => scene.openDrift(payout))))
      .flat()
      .map(({ kind, providerRef }) => `${kind} ${providerRef}`);

  /** The first was taken on as "one", and refused then; the worker that made its call still sleeps. The second is answered so. */
  const both = async (answer: SubmitAnswer) => {
    await scene.push(6_000);
    const [first] = (await scene.withdraw()) as [Payout];
    const asleep = world.drive(first.id);
    world.later(asleep);
    const call = await world.rail.call(1);
    world.rail.answers = () => accepted('one');
    await world.drive(first.id);
    expect(await world.payout(first.id)).toMatchObject({ providerRef: 'one' });
    await world.age(first.id, 60);
    world.rail.knows.set(first.railKey, refused());
    await world.drive(first.id);
    expect(await world.status(first.id)).toBe('failed');
    const [second] = (await scene.withdraw()) as [Payout];
    expect(second.railKey).toBe(first.railKey);
    world.rail.answers = () => answer;
    await world.drive(second.id);
    const wakes = async () => {
      call.answer(accepted('one'));
      await asleep;
    };
    return { first, second, wakes };
  };

  test('is no second payment: the second is under way', async () => {
    const { first, second, wakes } = await both(accepted('two'));
    world.rail.knows.set(first.railKey, accepted('two'));
    await wakes();
    expect(await drift(first, second)).toEqual([]);
    expect(await world.payout(second.id)).toMatchObject({ status: 'submitted', providerRef: 'two' });
  });

  test('keeps no call of the second from being made: its answer was lost', async () => {
    const { first, second, wakes } = await both(NO_ANSWER);
    await wakes();
    world.rail.knows.set(second.railKey, { ...thenDo('payout'), providerRef: 'two' } as SubmitAnswer);
    await world.drive(second.id);
    expect(await drift(first, second)).toEqual([]);
    expect(await world.payout(second.id)).toMatchObject({
      providerRef: 'two',
      legs: [{ name: 'payout', toSend: true }],
    });
  });

  test('does not let a refusal of the first end the second, whose answer was lost', async () => {
    const { second, wakes } = await both(NO_ANSWER);
    await wakes();
    // Its look-ups lag: they show the refusal of the first still. The second is under way, and a call under its code would say so.
    world.rail.answers = ({ railKey }) => accepted(railKey === second.railKey ? 'two' : 'again');
    await world.age(second.id, 60);
    await world.drive(second.id);
    await scene.push(1_000);
    // The 6,000 are on their way.
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await world.payout(second.id)).toMatchObject({ status: 'submitted', providerRef: 'two' });
  });

  test('is no second payment either if it was asked for by the first, before the second was refused and tried again', async () => {
    const { first, second } = await both(accepted('two'));
    const asked = await world.payout(first.id);
    await world.age(second.id, 60);
    world.rail.knows.set(second.railKey, refused());
    await world.drive(second.id);
    expect(await world.status(second.id)).toBe('failed');
    await world.get(RemedyPayout).retry(await world.payout(second.id), 'client');
    world.rail.answers = () => accepted('three');
    await world.drive(second.id);
    expect(await world.payout(second.id)).toMatchObject({ status: 'submitted', providerRef: 'three' });
    world.rail.knows.set(second.railKey, accepted('three'));
    // Whoever asked about the first stood still since its rail said so.
    await world.get(AskRail).apply(asked, accepted('two'));
    expect(await drift(first, second)).toEqual([]);
    expect(await world.payout(second.id)).toMatchObject({ status: 'submitted', providerRef: 'three' });
  });
});

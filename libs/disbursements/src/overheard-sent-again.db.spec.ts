/**
 * A try is accepted, then refused; whoever asks next sees that, and sends it again at once, which is no step. Somebody who slept, or asked
 * before, tells now that it was accepted.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { AskRail } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, thenDo } from '#libs/payouts/testing';
import type { SubmitAnswer } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('an old word about a try that was refused, and sent again by whoever found that', () => {
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

  const drift = async (payout: Payout): Promise<string[]> =>
    (await scene.openDrift(payout)).map(({ kind, providerRef }) => `${kind} ${providerRef}`);

  const sentAgain = async (answer: SubmitAnswer) => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    const { id, railKey } = payout;
    const asleep = world.drive(id);
    world.later(asleep);
    const call = await world.rail.call(1);
    const before = await world.payout(id);
    await world.age(id, 60);
    world.rail.knows.set(railKey, refused());
    world.rail.answers = () => answer;
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 2 });
    const OLD: Record<string, () => Promise<unknown>> = {
      'its call tells': () => (call.answer(accepted('one')), asleep),
      'a question tells': () => world.get(AskRail).apply(before, accepted('one')),
    };
    return { payout, OLD };
  };
  const WHO = ['its call tells', 'a question tells'];

  test.each(WHO)('is no second payment: %s', async (who) => {
    const { payout, OLD } = await sentAgain(accepted('two'));
    world.rail.knows.set(payout.railKey, accepted('two'));
    await OLD[who]?.();
    expect(await drift(payout)).toEqual([]);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'submitted', providerRef: 'two' });
  });

  test.each(WHO)('keeps no call of the later try from being made: %s', async (who) => {
    const { payout, OLD } = await sentAgain(NO_ANSWER);
    await OLD[who]?.();
    world.rail.knows.set(payout.railKey, { ...thenDo('payout'), providerRef: 'two' } as SubmitAnswer);
    await world.drive(payout.id);
    expect(await drift(payout)).toEqual([]);
    expect(await world.payout(payout.id)).toMatchObject({
      providerRef: 'two',
      legs: [{ name: 'payout', toSend: true }],
    });
  });

  test.each(WHO)('does not let a refusal of the earlier try end the later: %s', async (who) => {
    const { payout, OLD } = await sentAgain(NO_ANSWER);
    await OLD[who]?.();
    // Look-ups lag: they show the refusal still. The later try is under way, and a call under its code would say so.
    world.rail.answers = ({ railKey }) => accepted(railKey === payout.railKey ? 'two' : 'again');
    await world.age(payout.id, 60);
    await world.drive(payout.id);
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'submitted', providerRef: 'two' });
  });

  test.each(WHO)('nor does the question that follows from it: %s', async (who) => {
    const { payout, OLD } = await sentAgain(NO_ANSWER);
    await OLD[who]?.();
    // Look-ups lag: they show the refusal still. The later try is under way, and a call under its code would say so.
    world.rail.answers = ({ railKey }) => accepted(railKey === payout.railKey ? 'two' : 'again');
    await world.age(payout.id, 60);
    await world.look(payout.id);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'submitted', attempt: 2 });
    await world.drive(payout.id);
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'submitted', providerRef: 'two' });
  });
});

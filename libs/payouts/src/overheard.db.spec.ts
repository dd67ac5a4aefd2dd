/** A try is accepted, then refused, and made once more; somebody who slept, or asked before, tells now that it was accepted. */
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import type { SubmitAnswer } from '#libs/rail-kit';
import { AskRail } from './use-cases/ask-rail';
import { BeginLeg } from './use-cases/begin-leg';
import { RemedyPayout } from './use-cases/remedy-payout';
import {
  accepted,
  claimed,
  legsScene,
  type MoneyWorld,
  refused,
  settled,
  startMoneyWorld,
  thenDo,
  waits,
} from '../testing/src';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('an old word about an earlier try', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const drift = async (payoutId: string) =>
    (await world.get(DriftReads).list({}, null, 100)).filter((row) => row.payoutId === payoutId);
  /** `before`: as it stood under its first reference. `wakes`: the worker that made the first call comes with its answer. */
  const triedAgain = async (answer: SubmitAnswer) => {
    const { id, railKey } = await world.pay(client, await world.payee(client));
    const first = world.drive(id);
    const call = await world.rail.call(1);
    world.rail.answers = () => accepted('one');
    await world.drive(id);
    const before = await world.payout(id);
    await world.age(id, 60);
    world.rail.knows.set(railKey, refused());
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
    world.rail.answers = () => answer;
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    await world.drive(id);
    const wakes = (): Promise<unknown> => (call.answer(accepted('one')), first);
    return { id, before, after: await world.payout(id), wakes };
  };

  test.each([
    ['accepted', accepted('two'), 'submitted'],
    ['claimed', { ...claimed(), providerRef: 'two' } as const, 'submitted'],
    ['paid', settled('two'), 'paid'],
    ['not answered', NO_ANSWER, 'submitted'],
  ])('is no second payment, and no answer to what was %s', async (_, answer, status) => {
    const { id, before, after, wakes } = await triedAgain(answer);
    expect(after).toMatchObject({ status, attempt: 3 });
    await world.get(AskRail).apply(before, accepted('one'));
    await wakes();
    const { providerRef, acceptedAttempt, toSend } = after;
    expect(await world.payout(id)).toMatchObject({ status, attempt: 3, providerRef, acceptedAttempt, toSend });
    expect(await drift(id)).toEqual([]);
    // Its rail is asked which it is.
    world.rail.knows.set(after.railKey, settled('two'));
    await world.look(id);
    expect(await world.payout(id)).toMatchObject({ status: 'paid', providerRef: 'two' });
    expect(await drift(id)).toEqual([]);
  });

  test('keeps no call of the later try from being made', async () => {
    const { id, before, after, wakes } = await triedAgain(NO_ANSWER);
    await world.get(AskRail).apply(before, accepted('one'));
    await wakes();
    world.rail.knows.set(after.railKey, { ...thenDo('payout'), providerRef: 'two' } as SubmitAnswer);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ providerRef: 'two', legs: [{ name: 'payout', toSend: true }] });
    expect(await drift(id)).toEqual([]);
  });

  test('is a second payment if the rail says so now', async () => {
    const { id, before, after, wakes } = await triedAgain(accepted('two'));
    await world.get(AskRail).apply(before, accepted('one'));
    await wakes();
    world.rail.knows.set(after.railKey, accepted('one'));
    await world.look(id);
    expect(await drift(id)).toMatchObject([{ kind: 'amount_differs', providerRef: 'one' }]);
  });

  test('leaves a call with its payee that was on its way, refused, and is theirs to begin again', async () => {
    const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
    says({ first: waits(), drain: claimed() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    const { legs } = await world.get(BeginLeg).run(await world.payout(payout.id), 'wallet-1');
    const onItsWay = await drive(payout);
    knows(payout, waits(legs.at(-1)?.key));
    const waiting = await drive(payout);
    expect(waiting).toMatchObject({ claimedAt: null, claimUrl: expect.any(String) as string });
    await world.get(AskRail).apply(onItsWay, claimed());
    expect(await world.payout(payout.id)).toEqual(waiting);
    const looks = await world.db.rows(`SELECT FROM jobs WHERE entity_id = $1 AND name = 'payout.look'`, [payout.id]);
    expect(looks).toHaveLength(1);
  });

  describe('beside another call under its code, with no refusal heard in between', () => {
    /** The answer to the first call is late; another worker sent it again. */
    const sentTwice = async (answer: SubmitAnswer) => {
      const { id, railKey } = await world.pay(client, await world.payee(client));
      const first = world.drive(id);
      const call = await world.rail.call(1);
      world.rail.answers = () => answer;
      await world.drive(id);
      expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 2 });
      return { id, railKey, wakes: (): Promise<unknown> => (call.answer(accepted('one')), first) };
    };

    test('counts at once for both: its rail took the payout on', async () => {
      const { id, railKey, wakes } = await sentTwice(NO_ANSWER);
      await wakes();
      expect(await world.payout(id)).toMatchObject({ providerRef: 'one', acceptedAttempt: 1 });
      // It has forgotten the code: the money is there all the same, and is neither sent again nor held.
      await world.age(id, 2 * 3600);
      world.rail.knows.delete(railKey);
      await world.drive(id);
      expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 2 });
    });

    test('is asked about if the later call was taken on under another reference', async () => {
      const { id, railKey, wakes } = await sentTwice(accepted('two'));
      await wakes();
      expect(await drift(id)).toEqual([]);
      world.rail.knows.set(railKey, accepted('one'));
      await world.look(id);
      expect(await drift(id)).toMatchObject([{ kind: 'amount_differs', providerRef: 'one' }]);
    });
  });
});

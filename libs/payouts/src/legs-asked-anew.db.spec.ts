/** What begins a call of a payout again, under a key that no provider has seen: no word from before it ended, and no rail that is silent. */
import type { Client } from '#libs/clients';
import { legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('a payout in legs that ended', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const { says, pay, inLegs, drive, callsOf, keysOf, knows } = legsScene(() => ({ world, client }));

  /** Two workers made its first call; the answer of the one that sleeps is not written down yet. */
  const sentTwice = async (answers: Parameters<typeof says>[0], seconds = 0) => {
    const payout = await pay();
    const first = world.drive(payout.id);
    const call = await world.rail.call(1);
    says({ first: thenDo('payout'), ...answers });
    await drive(payout);
    await world.age(payout.id, seconds);
    const ended = await drive(payout);
    return { payout, ended, wakes: () => (call.answer(thenDo('payout')), first) };
  };

  test('as paid takes no call from a worker that wakes with what its first call was answered', async () => {
    const { payout, ended, wakes } = await sentTwice({ payout: settled() });
    expect(ended.status).toBe('paid');
    await wakes();
    expect(await world.payout(payout.id)).toMatchObject({ status: 'paid', legs: [{ name: 'payout', over: true }] });
    await drive(payout);
    expect(callsOf(payout)).toEqual(['first', 'first', 'payout']);
  });

  test.each([
    ['failed', 'transient'],
    ['held', 'account'],
  ] as const)('as %s is asked about when such a worker wakes, before anything of it is called', async (status, why) => {
    const { payout, ended, wakes } = await sentTwice({ payout: refused(why) }, 60);
    expect(ended.status).toBe(status);
    await wakes();
    knows(payout, refused(why));
    expect(await drive(payout)).toMatchObject({ status, legs: [{ name: 'payout', over: true }] });
    expect(callsOf(payout)).toEqual(['first', 'first', 'payout']);
  });

  test('is not tried again while its rail cannot say what became of the calls before', async () => {
    const payout = await inLegs();
    says({ payout: refused() });
    const failed = await drive(payout);
    knows(payout, NO_ANSWER);
    const retry = () => world.get(RemedyPayout).retry(failed, 'client');
    await expect(retry()).rejects.toMatchObject({ code: 'payout_not_retryable' });
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    knows(payout, refused());
    await retry();
    says({ first: thenDo('payout'), payout: settled() });
    expect((await drive(payout, 2)).status).toBe('paid');
    expect(keysOf('payout').size).toBe(2);
  });

  describe('and was tried again', () => {
    const triedAgain = async () => {
      const payout = await inLegs();
      says({ payout: refused() });
      const failed = await drive(payout);
      knows(payout, refused());
      await world.get(RemedyPayout).retry(failed, 'client');
      says({ first: thenDo('payout'), payout: settled() });
      return payout;
    };

    test('is paid by what was sent before, if its rail says so by the time a worker comes to it', async () => {
      const payout = await triedAgain();
      knows(payout, settled());
      expect((await drive(payout, 2)).status).toBe('paid');
      expect(callsOf(payout)).toEqual(['first', 'payout']);
    });

    test('is not begun anew before its rail says no once more', async () => {
      const payout = await triedAgain();
      knows(payout, NO_ANSWER);
      expect(await drive(payout, 2)).toMatchObject({ status: 'submitted', toSend: true });
      expect(callsOf(payout)).toEqual(['first', 'payout']);
      knows(payout, refused());
      expect((await drive(payout, 2)).status).toBe('paid');
      expect(callsOf(payout)).toEqual(['first', 'payout', 'first', 'payout']);
    });

    test('is held all the same for what stands in its way, whatever its rail can say', async () => {
      const payout = await triedAgain();
      knows(payout, NO_ANSWER);
      await world.setStatus(client, 'closed');
      expect((await drive(payout)).status).toBe('held');
    });

    test('is not tried again by whoever asked before that', async () => {
      const failedAtOnce = await pay();
      says({ first: refused() });
      const failed = await drive(failedAtOnce);
      let answer: () => void = () => undefined;
      knows(failed, NO_ANSWER);
      world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
      const slow = world.get(RemedyPayout).retry(failed, 'client');
      await world.rail.lookingUp(failed.railKey);
      world.rail.lookupGate = Promise.resolve();
      await world.get(RemedyPayout).retry(failed, 'client');
      says({ first: thenDo('payout'), payout: refused() });
      expect((await drive(failed, 2)).status).toBe('failed');
      answer();
      await expect(slow).rejects.toMatchObject({ code: 'payout_not_retryable' });
      expect(callsOf(failed)).toEqual(['first', 'first', 'payout']);
    });
  });
});

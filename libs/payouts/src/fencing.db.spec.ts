/** Workers that sleep past their lease, answers that come late, and rails that refuse and accept after all. */
import type { Client } from '#libs/clients';
import { happening } from '#libs/db/testing';
import { DriftReads } from '#libs/drift';
import type { Payee } from '#libs/payees';
import { RemedyPayout } from './use-cases/remedy-payout';
import { AskRail } from './use-cases/ask-rail';
import { TakeAttempts } from './use-cases/take-attempts';
import { accepted, asleep, type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';

describe('who has a say about a payout', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
    payee = await world.payee(client);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const retry = async (id: string): Promise<void> => {
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
  };
  const drift = async (payoutId: string) =>
    (await world.get(DriftReads).list({}, null, 100)).filter((row) => row.payoutId === payoutId);

  test('a refusal that a sleeping worker brings late does not end what was sent and accepted since', async () => {
    const { id } = await world.pay(client, payee);
    const first = world.drive(id);
    const call = await world.rail.call(1);
    // The first worker sleeps with its answer in its hands; its lease lapses, and another worker takes over.
    const second = world.drive(id);
    (await world.rail.call(2)).answer(accepted());
    await second;
    call.answer(refused());
    await first;
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', providerRef: 'ref', acceptedAttempt: 2 });
    expect(new Set(world.rail.calls.map(({ order }) => order.railKey)).size).toBe(1);
  });

  test('a refusal ends nothing while another send may still be under way, and ends it after both were refused', async () => {
    const { id } = await world.pay(client, payee);
    const first = world.drive(id);
    const call = await world.rail.call(1);
    const second = world.drive(id);
    (await world.rail.call(2)).answer(refused());
    await second;
    expect(await world.status(id)).toBe('submitted');
    call.answer(refused());
    await first;
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'transient', openAttempts: [] });
  });

  test('a refusal says nothing of a later send that nobody answered, however long its worker slept', async () => {
    const { id, railKey } = await world.pay(client, payee);
    const first = world.drive(id);
    const call = await world.rail.call(1);
    world.later(world.drive(id)); // the rail takes this one, and nobody hears of it
    await world.rail.call(2);
    await world.age(id, 60);
    call.answer(refused());
    await first;
    expect(await world.status(id)).toBe('submitted');
    world.rail.knows.set(railKey, settled());
    await world.drive(id);
    expect(await world.status(id)).toBe('paid');
  });

  test('a worker that never comes back is waited for as long as its call can last', async () => {
    const { id } = await world.pay(client, payee);
    world.later(world.drive(id));
    await world.rail.call(1);
    const second = world.drive(id);
    (await world.rail.call(2)).answer(refused());
    await second;
    world.rail.knows.set((await world.payout(id)).railKey, refused());
    await world.drive(id);
    expect(await world.status(id)).toBe('submitted');
    await world.age(id, 60);
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
  });

  test('a retry whose process died is made by the job, although the rail still speaks of the try before', async () => {
    const spanish = await world.payee(client, { country: 'ES' });
    world.rail.answers = () => refused();
    const { id, railKey } = await world.pay(client, spanish);
    expect(await world.status(id)).toBe('failed');
    world.rail.knows.set(railKey, refused());
    world.rail.answers = null;
    world.later(retry(id)); // it never hears of an answer
    await world.rail.call(2);
    const driven = world.drive(id);
    (await world.rail.call(3)).answer(settled());
    await driven;
    expect(await world.payout(id)).toMatchObject({ status: 'paid', attempt: 3 });
  });

  test('whoever lost the lease does not send', async () => {
    const { id } = await world.pay(client, payee);
    const lost = await world.takeJob(id);
    await world.takeJob(id);
    await world.drive(id, lost);
    expect(world.rail.calls).toEqual([]);
    expect(await world.payout(id)).toMatchObject({ status: 'authorized', attempt: 0 });
  });

  test('a worker that wakes between its number and its call does not call', async () => {
    const { id } = await world.pay(client, payee);
    const seen = await world.payout(id);
    const asked = world.get(AskRail);
    const orderOf = asked.orderOf.bind(asked);
    jest.spyOn(asked, 'orderOf').mockImplementationOnce(async (payout) => {
      await asleep(world.db, payout);
      return orderOf(payout);
    });
    await world.drive(id);
    expect(world.rail.calls).toEqual([]);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 1, openAttempts: [] });
    // The next one finds that the rail never saw it.
    world.rail.answers = () => accepted();
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ attempt: 2, acceptedAttempt: 2, railKey: seen.railKey });
  });

  test('what was refused and is accepted after all goes on from where it was sent', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
    world.rail.knows.set(railKey, accepted());
    await world.get(AskRail).lookUp(await world.payout(id));
    expect(await world.status(id)).toBe('submitted');
    world.rail.knows.set(railKey, settled());
    await world.drive(id);
    expect(await world.status(id)).toBe('paid');
    expect(world.rail.calls).toHaveLength(1);
  });

  test('what is heard between a release and its sending counts, and nothing is sent again', async () => {
    payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.later(world.drive(id));
    const sleeping = await world.rail.call(1);
    const second = world.drive(id);
    (await world.rail.call(2)).answer(refused('funding'));
    await second;
    await world.age(id, 60);
    world.rail.knows.set((await world.payout(id)).railKey, refused('funding'));
    await world.drive(id);
    expect(await world.status(id)).toBe('held');
    await world.get(RemedyPayout).release(await world.payout(id), 'operator');
    expect(await world.status(id)).toBe('authorized');
    sleeping.answer(accepted('after all'));
    await world.until(id, 'submitted');
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(2);
  });

  test('what failed for good stays, and is drift at once until an operator resolves it', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.answers = () => refused('permanent');
    await world.drive(id);
    world.rail.knows.set(railKey, accepted());
    await world.get(AskRail).lookUp(await world.payout(id));
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    expect(await drift(id)).toMatchObject([{ kind: 'not_paid_here', railCents: 1_000, resolvedAt: null }]);
    await world.get(AskRail).lookUp(await world.payout(id));
    expect(await drift(id)).toHaveLength(1);
  });

  test('a look-up that was asked before a retry says nothing about it', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    world.rail.knows.set(railKey, refused());
    let open: () => void = () => undefined;
    await retry(id);
    world.rail.lookupGate = new Promise((resolve) => (open = resolve));
    const late = world.get(AskRail).lookUp(await world.payout(id));
    world.rail.answers = () => accepted();
    await world.drive(id);
    open();
    await late;
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', attempt: 2, acceptedAttempt: 2 });
  });

  test('what the rail may have forgotten is not tried again while it cannot be asked', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    await retry(id);
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(2);
    await world.age(id, 48 * 3600);
    await expect(retry(id)).rejects.toMatchObject({ code: 'payout_not_retryable' });
  });

  test('a code is honoured from the send that may have moved money, not from one that was refused', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    world.rail.knows.set(railKey, refused());
    await world.age(id, 48 * 3600);
    await retry(id);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(2);
    // From now on it counts: past the time for which the rail honours the code, it is asked and not sent again.
    world.rail.knows.delete(railKey);
    await world.age(id, 2 * 3600);
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(2);
    expect(await world.status(id)).toBe('held');
  });

  test('of two jobs of one payout that take it on together, the one that lost its lease sends nothing', async () => {
    const others = await Promise.all([world.pay(client, payee), world.pay(client, payee)]);
    const { id } = await world.pay(client, payee);
    const [held, mayEnd] = [happening(), happening()];
    // Two batches are under way and wait, so that the next ones are gathered.
    const holder = world.db.inTransaction(async () => {
      const ids = others.map((other) => other.id);
      await world.db.row('SELECT FROM payouts WHERE id = ANY($1) FOR UPDATE', [ids]);
      held.happens();
      await mayEnd.promise;
    });
    await held.promise;
    for (const other of others) world.later(world.drive(other.id));
    const stale = await world.takeJob(id);
    const fresh = await world.takeJob(id);
    const take = jest.spyOn(world.get(TakeAttempts), 'take');
    const works = [world.drive(id, stale), world.drive(id, fresh)];
    for (const work of works) world.later(work);
    while (take.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    take.mockRestore();
    mayEnd.happens();
    await Promise.all([holder, works[0]]); // it has nothing to send, and is done
    const mine = await world.rail.callFor(id);
    mine.answer(accepted());
    await works[1];
    expect(world.rail.calls.filter(({ order }) => order.payoutId === id)).toHaveLength(1);
    expect(await world.payout(id)).toMatchObject({ attempt: 1, acceptedAttempt: 1 });
  });

  test('the link of a later try takes the place of the earlier one, and is to be claimed anew', async () => {
    const { id, railKey } = await world.pay(client, payee);
    const link = (nth: number) =>
      ({ kind: 'awaiting_payee', providerRef: `ref-${nth}`, claimUrl: `https://claim.example/${nth}` }) as const;
    world.rail.answers = () => link(1);
    await world.drive(id);
    for (const fact of [{ kind: 'claimed', providerRef: 'ref-1' } as const, refused()]) {
      world.rail.knows.set(railKey, fact);
      await world.get(AskRail).lookUp(await world.payout(id));
    }
    expect(await world.payout(id)).toMatchObject({ status: 'failed', claimUrl: null, claimedAt: null });
    await retry(id);
    world.rail.answers = () => link(2);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ claimUrl: 'https://claim.example/2', claimedAt: null });
    const steps = await world.db.rows('SELECT FROM payout_trail WHERE payout_id = $1 AND type = $2', [
      id,
      'await_payee',
    ]);
    expect(steps).toHaveLength(2);
  });

  test('two settlements with references of their own are two payments, and somebody is told', async () => {
    const { id } = await world.pay(client, payee);
    const first = world.drive(id);
    const call = await world.rail.call(1);
    const second = world.drive(id);
    (await world.rail.call(2)).answer(settled('one'));
    await second;
    call.answer(settled('one'));
    await first;
    expect(await drift(id)).toEqual([]);
    world.rail.knows.set((await world.payout(id)).railKey, settled('another'));
    await world.get(AskRail).lookUp(await world.payout(id));
    expect(await drift(id)).toMatchObject([{ kind: 'amount_differs', ourCents: 1_000, railCents: 2_000 }]);
  });

  test('a second settlement is told of also after the first came back', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.answers = () => settled('one');
    await world.drive(id);
    for (const fact of [{ kind: 'bounced', feeCents: 0 } as const, settled('two')]) {
      world.rail.knows.set(railKey, fact);
      await world.get(AskRail).lookUp(await world.payout(id));
    }
    expect(await world.status(id)).toBe('returned');
    expect(await drift(id)).toMatchObject([{ kind: 'amount_differs', providerRef: 'two' }]);
  });
});

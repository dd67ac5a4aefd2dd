/** Payouts that take more than one call: in order, each once, and what becomes of them at the end. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';
import { ChangePayout } from './use-cases/change-payout';
import { RemedyPayout } from './use-cases/remedy-payout';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
/** The rails of the spec keep keys for an hour. */
const PAST_MEMORY = 2 * 3600;

describe('a payout in legs', () => {
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

  test('takes each call in turn, each with a key of its own, and is paid at the end of the last', async () => {
    says({ first: thenDo('transfer'), transfer: thenDo('payout'), payout: settled() });
    const payout = await pay();
    expect(await drive(payout)).toMatchObject({ status: 'submitted', legs: [{ name: 'transfer', toSend: true }] });
    expect(await drive(payout)).toMatchObject({ status: 'submitted', providerRef: 'ref' });
    const paid = await drive(payout);
    expect(paid).toMatchObject({ status: 'paid', attempt: 3, openAttempts: [] });
    expect(paid.legs).toMatchObject([
      { name: 'transfer', attempt: 2, sends: 1, said: 'accepted', over: true },
      { name: 'payout', attempt: 3, sends: 1, said: 'settled', over: true },
    ]);
    expect(callsOf(payout)).toEqual(['first', 'transfer', 'payout']);
    expect(new Set([payout.railKey, ...keysOf('transfer'), ...keysOf('payout')]).size).toBe(3);
    expect(world.rail.calls.map(({ order }) => order)).toEqual(Array(3).fill(world.rail.calls[0]?.order));
    const steps = await world.db.rows<{ type: string }>(
      'SELECT type FROM payout_trail WHERE payout_id = $1 ORDER BY sequence',
      [paid.id],
    );
    expect(steps.map(({ type }) => type)).toEqual(['create', 'route', 'submit', 'settle']);
  });

  test('goes on at once: the job that heard of the next call is due when it is done', async () => {
    says({ first: thenDo('payout'), payout: settled() });
    const { id } = await pay();
    await world.work('payout.drive', id);
    const job = await world.db.row<{ due: boolean }>('SELECT run_at <= now() AS due FROM jobs WHERE entity_id = $1', [
      id,
    ]);
    expect(job?.due).toBe(true);
    await world.work('payout.drive', id);
    expect(await world.status(id)).toBe('paid');
  });

  test('on a rail that settles at once goes on by its job', async () => {
    says({ first: thenDo('payout'), payout: settled() });
    const payout = await pay('ES');
    expect(payout).toMatchObject({ status: 'submitted', legs: [{ name: 'payout', toSend: true }] });
    expect((await drive(payout)).status).toBe('paid');
    expect(callsOf(payout)).toEqual(['first', 'payout']);
  });

  test('is learned of in a look-up as well, after a crash that left no answer on record', async () => {
    const payout = await pay();
    world.later(world.drive(payout.id)); // it never comes back
    await world.rail.call(1);
    says({ payout: settled() });
    knows(payout, thenDo('payout'));
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    expect(await world.status(payout.id)).toBe('paid');
  });

  test('asks about a call without an answer, and sends it again only if the rail still wants it', async () => {
    const payout = await inLegs();
    says({ payout: NO_ANSWER });
    await drive(payout);
    knows(payout, accepted());
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    knows(payout, thenDo('payout'));
    says({ payout: accepted() });
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'payout', 'payout']);
    expect(keysOf('payout').size).toBe(1);
    expect((await world.payout(payout.id)).legs).toMatchObject([{ sends: 2, said: 'accepted', toSend: false }]);
  });

  test('is not written anew for an answer that says nothing new', async () => {
    const payout = await inLegs();
    says({ payout: accepted() });
    knows(payout, accepted());
    const before = await drive(payout);
    expect((await drive(payout, 2)).updatedAt).toEqual(before.updatedAt);
    expect(world.rail.asked).toHaveLength(2);
  });

  test('never makes its first call again, also if the rail says that it never saw it', async () => {
    const payout = await inLegs();
    says({ payout: NO_ANSWER });
    await drive(payout, 3);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
  });

  test('waits until a call is of use', async () => {
    says({ first: thenDo('payout', 600), payout: settled() });
    const payout = await pay();
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first']);
    await world.work('payout.drive', payout.id);
    const job = await world.db.row<{ inSeconds: number }>(
      'SELECT extract(epoch FROM run_at - now())::float8 AS in_seconds FROM jobs WHERE entity_id = $1',
      [payout.id],
    );
    expect(job?.inSeconds).toBeGreaterThan(400);
    await world.age(payout.id, 700);
    expect((await drive(payout)).status).toBe('paid');
  });

  test('which a call asks for once more is not made again at once, and never more often than thirty in one go', async () => {
    const payout = await inLegs();
    says({ payout: thenDo('payout') });
    await drive(payout, 3);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    let n = 0;
    world.rail.answers = () => thenDo(`more_${(n += 1)}`);
    await world.age(payout.id, 60);
    await drive(payout, 40);
    expect((await world.payout(payout.id)).legs).toHaveLength(30);
    expect(callsOf(payout)).toHaveLength(32);
  });

  test('a word that is no name of a call is no answer', async () => {
    says({ first: thenDo('Pay out!') });
    const payout = await pay();
    expect(await drive(payout)).toMatchObject({ status: 'submitted', legs: [], acceptedAttempt: null });
  });

  describe('how long a key counts', () => {
    test('is counted for each call from its own first send', async () => {
      const payout = await inLegs();
      await world.age(payout.id, PAST_MEMORY);
      says({ payout: NO_ANSWER });
      await drive(payout);
      knows(payout, thenDo('payout'));
      await world.age(payout.id, 3000);
      says({ payout: settled() });
      await drive(payout, 2);
      expect(callsOf(payout)).toEqual(['first', 'payout', 'payout']);
      expect(await world.status(payout.id)).toBe('paid');
    });

    test('past that it is only asked about, and what the rail says counts', async () => {
      const payout = await inLegs();
      says({ payout: NO_ANSWER });
      await drive(payout);
      await world.age(payout.id, PAST_MEMORY);
      knows(payout, thenDo('payout'));
      await drive(payout, 4);
      expect(callsOf(payout)).toEqual(['first', 'payout']);
      expect(world.rail.asked.length).toBeGreaterThanOrEqual(3);
      expect(await world.status(payout.id)).toBe('submitted');
      knows(payout, thenDo('pull_back'));
      says({ pull_back: refused() });
      await drive(payout, 2);
      expect(await world.status(payout.id)).toBe('failed');
    });
  });

  describe('that is refused', () => {
    test('by a later call failed as any other, and its retry begins anew, with other keys for what follows', async () => {
      const payout = await inLegs();
      says({ payout: thenDo('pull_back'), pull_back: refused() });
      await drive(payout, 2);
      const failed = await world.payout(payout.id);
      expect(failed).toMatchObject({ status: 'failed', failureKind: 'transient', openAttempts: [] });
      expect(failed.legs.map(({ said, over }) => [said, over])).toEqual([
        ['accepted', true],
        ['refused', true],
      ]);
      knows(payout, refused());
      await world.get(RemedyPayout).retry(failed, 'client');
      says({ first: thenDo('payout'), payout: settled() });
      expect((await drive(payout, 2)).status).toBe('paid');
      expect(callsOf(payout)).toEqual(['first', 'payout', 'pull_back', 'first', 'payout']);
      expect(keysOf('payout').size).toBe(2);
      expect(new Set(world.rail.calls.map(({ order }) => order.railKey)).size).toBe(1);
    });

    test('in a look-up, once no call can be under way', async () => {
      const payout = await inLegs();
      says({ payout: NO_ANSWER });
      await drive(payout);
      knows(payout, refused());
      await drive(payout);
      expect(await world.status(payout.id)).toBe('submitted');
      await world.age(payout.id, 60);
      expect((await drive(payout)).status).toBe('failed');
      expect(callsOf(payout)).toEqual(['first', 'payout']);
    });
  });

  test('that was paid and bounced pulls its money back before it counts as returned', async () => {
    const payout = await inLegs();
    says({ payout: settled() });
    await drive(payout);
    knows(payout, thenDo('pull_back'));
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    expect(await world.payout(payout.id)).toMatchObject({
      status: 'paid',
      legs: [{}, { name: 'pull_back', round: 1 }],
    });
    says({ pull_back: NO_ANSWER });
    await drive(payout);
    knows(payout, { kind: 'bounced', feeCents: 5 } as never);
    await world.work('payout.drive', payout.id);
    expect(await world.payout(payout.id)).toMatchObject({ status: 'returned', liftingFeeCents: 5 });
    expect(callsOf(payout)).toEqual(['first', 'payout', 'pull_back']);
    const jobs = await world.db.rows('SELECT name FROM jobs WHERE entity_id = $1', [payout.id]);
    expect(jobs).not.toContainEqual({ name: 'payout.drive' });
  });

  test('that an operator called paid takes no further call, whatever its rail asks for', async () => {
    const payout = await inLegs();
    await world.get(ChangePayout).all([payout.id], async ([locked]) => {
      await world.get(ChangePayout).foundPaid(locked as Payout, null);
      return [];
    });
    expect(await world.payout(payout.id)).toMatchObject({ status: 'paid', legs: [{ toSend: false, over: true }] });
    knows(payout, thenDo('payout'));
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    expect(await world.payout(payout.id)).toMatchObject({ status: 'paid', legs: [{ over: true }] });
    expect(callsOf(payout)).toEqual(['first']);
  });
});

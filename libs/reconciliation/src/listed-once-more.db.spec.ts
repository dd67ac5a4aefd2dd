/**
 * A payout in legs was pulled back, which its rail listed long ago, and is tried again. What is listed of that try is as young as the try,
 * and may be listed later than the rail tells of it: what went out and came back before is no difference meanwhile.
 */
import type { Payout } from '#libs/payout-rules';
import { AskRail, RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupAnswer } from '#libs/rail-kit';
import { compare, listedScene, startReconciledWorld } from '../testing/src';

describe('a payout in legs that is tried again after its money was pulled back', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
    await compare(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const { line, openAbout, timePasses, toBeRefused } = listedScene(() => world);

  const isListed = (payout: Payout, direction: 'out' | 'back', providerRef: string): Promise<void> => {
    world.rail.moved = [...world.rail.moved, line(payout, direction, providerRef)];
    return compare(world);
  };
  const knows = ({ railKey }: Payout, fact: LookupAnswer) => world.rail.knows.set(railKey, fact);

  /** Its first try is listed since an hour ago, unless told otherwise. */
  const triedAgain = async (minutesAgo = 60): Promise<Payout> => {
    const { id } = await toBeRefused();
    for (let turn = 0; turn < 2; turn += 1) await world.drive(id);
    const failed = await world.payout(id);
    expect(failed).toMatchObject({ status: 'failed', failureKind: 'transient' });
    knows(failed, refused());
    world.rail.moved = [line(failed, 'out', 'ref'), line(failed, 'back', 'ref')];
    await compare(world);
    await timePasses(failed, minutesAgo);
    expect(await openAbout(failed)).toEqual([]);
    await world.get(RemedyPayout).retry(failed, 'client');
    return failed;
  };
  const answerIsLost = async ({ id }: Payout): Promise<void> => {
    world.rail.says({});
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', acceptedAttempt: null, toSend: false });
  };
  const isPaid = async (payout: Payout): Promise<void> => {
    world.rail.says({
      first: { kind: 'accepted', providerRef: 'tr_2', next: { leg: 'payout' } },
      payout: settled('tr_2'),
    });
    for (let turn = 0; turn < 2; turn += 1) await world.drive(payout.id);
    expect(await world.status(payout.id)).toBe('paid');
    knows(payout, settled('tr_2'));
  };

  test('is in no dispute because of what was listed a moment ago, and goes on to its end', async () => {
    const payout = await triedAgain();
    await answerIsLost(payout);
    await isListed(payout, 'out', 'tr_2');
    expect(await openAbout(payout)).toEqual([]);

    knows(payout, { kind: 'accepted', providerRef: 'tr_2', next: { leg: 'payout' } });
    world.rail.says({ payout: settled('tr_2') });
    for (let turn = 0; turn < 3; turn += 1)
      if ((await world.status(payout.id)) === 'submitted') await world.drive(payout.id);
    await compare(world);
    expect(await world.status(payout.id)).toBe('paid');
    expect(await openAbout(payout)).toEqual([]);
  });

  test('nor because of what came back before, while nothing of the new try is listed', async () => {
    const payout = await triedAgain(6);
    await answerIsLost(payout);
    knows(payout, { kind: 'unknown', detail: 'no answer' });
    await compare(world);
    expect(await openAbout(payout)).toEqual([]);
  });

  test('is named once its rail has listed the new try for some minutes, and tells nothing of it, until it is paid', async () => {
    const payout = await triedAgain();
    await answerIsLost(payout);
    knows(payout, { kind: 'unknown', detail: 'no answer' });
    await isListed(payout, 'out', 'tr_2');
    await timePasses(payout, 6);
    await compare(world);
    expect(await openAbout(payout)).toMatchObject([
      { kind: 'not_paid_here', railCents: 6_000, ourStatus: 'submitted' },
    ]);

    knows(payout, settled('tr_2'));
    await world.drive(payout.id);
    expect(await world.status(payout.id)).toBe('paid');
    await compare(world);
    expect(await openAbout(payout)).toEqual([]);
  });

  test('is in no dispute for what came back before, once it is paid and its rail is late to list that', async () => {
    const payout = await triedAgain();
    await isPaid(payout);
    await compare(world); // the list does not show it yet
    expect(await openAbout(payout)).toEqual([]);
    await isListed(payout, 'out', 'tr_2');
    expect(await openAbout(payout)).toEqual([]);
  });

  test('is named as not moved there if it is never listed, until it is', async () => {
    const payout = await triedAgain();
    await isPaid(payout);
    await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '6 minutes' WHERE id = $1`, [payout.id]);
    for (let times = 0; times < 2; times += 1) {
      await compare(world);
      expect(await openAbout(payout)).toMatchObject([{ kind: 'not_moved_there', providerRef: 'tr_2' }]);
    }
    await isListed(payout, 'out', 'tr_2');
    expect(await openAbout(payout)).toEqual([]);
  });

  test('is named if another try is listed beside the one that paid it, and did not come back', async () => {
    const payout = await triedAgain();
    await isPaid(payout);
    await isListed(payout, 'out', 'tr_3');
    expect(await openAbout(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 12_000 }]);
  });

  test('is in no dispute once its bank sent it back, while its rail lists neither', async () => {
    const payout = await triedAgain();
    await isPaid(payout);
    knows(payout, { kind: 'bounced', feeCents: 0 });
    await compare(world);
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    expect(await world.status(payout.id)).toBe('returned');
    await compare(world);
    expect(await openAbout(payout)).toEqual([]);
    for (const direction of ['out', 'back'] as const) await isListed(payout, direction, 'tr_2');
    expect(await openAbout(payout)).toEqual([]);
  });

  test('has some minutes to be told that it came back, from when that is listed', async () => {
    const payout = await triedAgain();
    await isPaid(payout);
    await isListed(payout, 'out', 'tr_2');
    await isListed(payout, 'back', 'tr_2'); // its rail, asked, says still that it settled
    expect(await openAbout(payout)).toEqual([]);
    await timePasses(payout, 6);
    await compare(world);
    expect(await openAbout(payout)).toMatchObject([{ kind: 'amount_differs', ourStatus: 'paid' }]);
  });
});

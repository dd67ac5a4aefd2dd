/**
 * A database that was restored to when a payout had failed because its rail was out of funds. Since then its rows left with one more, under another
 * code, and were paid. The rail lists nothing, so nothing here tells of that: a person has to compare by hand, before anything leaves by itself.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailLists } from '#libs/drift';
import { AskRail } from '#libs/payouts';
import { earlier, isRestored, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { RailLanes, Rails } from '#libs/rail-registry';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of a rail that lists nothing, in a database that was restored', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    const registered = world.get(Rails).find('claim_rail');
    if (!registered) throw new Error('There is no such rail.');
    registered.rail = Object.create(world.rail, { movements: { value: undefined } }) as typeof registered.rail;
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    await says('claim_rail');
    await compare(world);
  });

  /** An operator, that they compared with it. */
  const says = (rail: string): Promise<unknown> => world.get(RailLists).comparedByHand(rail);
  const awaited = async (): Promise<string[]> => (await world.get(RailLanes).awaited()).map(({ rail }) => rail);
  /** What a rail that finds out by sending again is told. */
  const mayMove = async ({ id }: Payout): Promise<boolean> => {
    world.rail.movesNothing.length = 0;
    await world.get(AskRail).ask(await world.payout(id));
    return world.rail.movesNothing.at(-1) === undefined;
  };
  const callsFor = ({ id }: Payout): number => world.rail.calls.filter(({ order }) => order.payoutId === id).length;
  /** Its jobs, as the schedules of the service have them done. */
  const goesOn = async (payout: Payout): Promise<void> => {
    world.rail.answers = () => settled('again');
    await world.work('payout.retry', payout.id);
    if ((await world.status(payout.id)) === 'submitted') await world.drive(payout.id);
  };

  test('that failed for a lack of funds before do not leave once more by themselves', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused('funding');
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(payout.id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(payout.railKey, refused('funding'));
    await isRestored(world);
    await goesOn(payout);
    expect(callsFor(payout)).toBe(1);
    // All that lists anything is compared with a minute later.
    await compare(world);
    expect(await awaited()).toEqual(['claim_rail']);
    await goesOn(payout);
    expect([callsFor(payout), await world.status(payout.id)]).toEqual([1, 'failed']);
    await says('claim_rail');
    await goesOn(payout);
    expect([callsFor(payout), await world.status(payout.id)]).toEqual([2, 'paid']);
  });

  test.each(['DE', 'ES'])('that were not sent before wait for it, whichever rail they go by (%s)', async (country) => {
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    await isRestored(world);
    await compare(world);
    world.rail.answers = () => settled('first');
    const [payout] = (await scene.withdraw()) as [Payout];
    const driven = async (): Promise<string> => {
      if ((await world.status(payout.id)) === 'authorized') await world.drive(payout.id);
      return `${await world.status(payout.id)} ${callsFor(payout)}`;
    };
    expect(await driven()).toBe('authorized 0');
    await says('claim_rail');
    expect(await driven()).toBe('paid 1');
  });

  test('that wait for it are held once an earlier payout of theirs turns out to have moved: days after that came to rest nobody else asks', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    const before = await scene.refusedWithdrawal('permanent');
    await earlier(world, before.id, '3 days');
    await world.db.execute('DELETE FROM jobs WHERE entity_id = $1', [before.id]);
    await isRestored(world);
    await scene.push(1_000);
    const [waiting] = (await scene.withdraw()) as [Payout];
    expect(await world.status(waiting.id)).toBe('authorized');
    world.rail.knows.set(before.railKey, settled('after all'));
    await world.drive(waiting.id);
    expect([await world.status(waiting.id), callsFor(waiting)]).toEqual(['held', 0]);
  });

  test('that are in doubt are not sent to find out', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    const [payout] = (await scene.withdraw()) as [Payout];
    if ((await world.status(payout.id)) === 'authorized') await world.drive(payout.id);
    expect([await world.status(payout.id), await mayMove(payout)]).toEqual(['submitted', true]);
    await isRestored(world);
    expect(await mayMove(payout)).toBe(false);
    await compare(world);
    expect(await mayMove(payout)).toBe(false);
    await says('claim_rail');
    expect(await mayMove(payout)).toBe(true);
    // Who compared found that they may have gone otherwise.
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    expect(await mayMove(payout)).toBe(false);
  });

  test('keep nothing else: a payout of the caller is sent, and may be sent to find out', async () => {
    await isRestored(world);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    const payout = await world.pay(client, await world.payee(client, { country: 'DE' }));
    await world.drive(payout.id);
    expect([callsFor(payout), await mayMove(payout)]).toEqual([1, true]);
  });
});

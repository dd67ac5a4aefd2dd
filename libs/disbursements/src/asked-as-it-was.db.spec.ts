/**
 * claim_rail finds out by sending again (ADR 82), and nothing may move by that once a payout is at rest (ADR 87). Whoever asks read it a while ago:
 * it counts how it stands when its rail is asked.
 */
import type { Payout } from '#libs/payout-rules';
import { AskRail, GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('rows in doubt that were read while they were under way', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let read: Payout;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client(), 'DE');
    await scene.push(6_000);
    world.rail.answers = () => NO_ANSWER;
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    await world.age(id, 60);
    read = await world.payout(id);
    expect([read.status, read.provider]).toEqual(['submitted', 'claim_rail']);
    world.rail.knows.set(read.railKey, NO_ANSWER);
  });

  const block = (blocked: boolean): Promise<unknown> =>
    world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [scene.payee.id, blocked]);
  /** Held for its payee, who is blocked, and ended by an admin, who found nothing at the rail. */
  const ended = async (): Promise<void> => {
    await block(true);
    await world.drive(read.id);
    expect(await world.status(read.id)).toBe('held');
    await world.get(GiveUpPayout).run(await world.payout(read.id), 'the rail never got it', true);
    await block(false);
  };
  const asked = async (): Promise<(string | undefined)[]> => {
    world.rail.movesNothing.length = 0;
    await world.get(AskRail).lookUp(read);
    return world.rail.movesNothing;
  };

  test('are asked about in a way that may send them while they are', async () => {
    expect(await asked()).toEqual([undefined]);
  });

  test('are not sent by a question that is put once they are kept back', async () => {
    await block(true);
    expect(await asked()).toEqual(['at_rest']);
  });

  test('are not sent by a question that is put once they left with others, under another code', async () => {
    await ended();
    await scene.push(2_000);
    world.rail.answers = () => settled();
    const [again] = (await scene.withdraw()) as [Payout];
    if ((await world.status(again.id)) === 'authorized') await world.drive(again.id);
    expect([await world.status(again.id), again.railKey === read.railKey]).toEqual(['paid', false]);
    expect(await asked()).toEqual(['at_rest']);
  });
});

/**
 * A process stands still after its rail was asked what became of an earlier payout of the rows. When it wakes that no is old: its rail
 * moved that money since. A job would ask once more right before it sends; a request that sends itself does not.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import { ClearEarlier } from '../../payouts/src/use-cases/clear-earlier';
import { OwedScene, startOwedWorld } from '../testing/src';

const STANDSTILL_MS = 20_000;

describe('rows whose earlier payout was asked about before its process stood still', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  /** It was refused, and is so still; they leave with one more, and so under another code. */
  const refusedOnce = async (country: string): Promise<{ scene: OwedScene; first: Payout }> => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    world.rail.answers = () => ({ kind: 'refused', failure: 'transient', reason: 'refused by the spec' });
    const [made] = (await scene.withdraw()) as [Payout];
    if ((await world.status(made.id)) === 'authorized') await world.drive(made.id);
    const first = await world.payout(made.id);
    expect(first.status).toBe('failed');
    world.rail.knows.set(first.railKey, { kind: 'refused', failure: 'transient', reason: 'refused by the spec' });
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('second');
    await scene.push(1_000);
    return { scene, first };
  };
  /** Once it was told the process stands still, and meanwhile the rail settles what it had refused. */
  const standsStillAfter = (name: 'ask' | 'isStillClear', first: Payout): void => {
    const clearing = world.get(ClearEarlier);
    const original = clearing[name].bind(clearing) as (...given: unknown[]) => Promise<unknown>;
    const frozen = async (...given: unknown[]): Promise<unknown> => {
      const said = await original(...given);
      world.rail.knows.set(first.railKey, settled('first'));
      await pause(STANDSTILL_MS);
      return said;
    };
    jest.spyOn(clearing, name).mockImplementationOnce(frozen as never);
  };
  const moved = async (): Promise<number[]> => world.rail.calls.map(({ order }) => order.amountCents);

  test.each(['FR', 'DE'])(
    'stay where they are when they are withdrawn (%s)',
    async (country) => {
      const { scene, first } = await refusedOnce(country);
      standsStillAfter('ask', first);
      for (const { id } of await scene.withdraw().catch(() => []))
        if ((await world.status(id)) === 'authorized') await world.drive(id);
      expect(await moved()).toEqual([]);
    },
    60_000,
  );

  test('stay where they are when their next payout is released', async () => {
    const { scene, first } = await refusedOnce('DE');
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const [held] = (await scene.withdraw()) as [Payout];
    expect(held.status).toBe('held');
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    standsStillAfter('isStillClear', first);
    const release = world.get(RemedyPayout).release(await world.payout(held.id), 'operator');
    await release.catch(() => undefined);
    if ((await world.status(held.id)) === 'authorized') await world.drive(held.id);
    expect(await moved()).toEqual([]);
  }, 60_000);
});

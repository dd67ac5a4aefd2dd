/**
 * A process stands still after a rail was asked what became of an earlier payout of the rows. When it wakes that no is old: the rail
 * moved that money since. A job sends them then, and asks once more right before.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled, standsStill } from '#libs/payouts/testing';
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

  const withdrawn = async (scene: OwedScene): Promise<Payout> => {
    const [{ id, status }] = (await scene.withdraw()) as [Payout];
    if (status === 'authorized') await world.drive(id);
    return world.payout(id);
  };
  /** It was refused, and is so still; they leave with one more, and so under another code. */
  const refusedOnce = async (country: string): Promise<{ scene: OwedScene; first: Payout }> => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const first = await withdrawn(scene);
    expect(first.status).toBe('failed');
    world.rail.knows.set(first.railKey, refused());
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('second');
    await scene.push(1_000);
    return { scene, first };
  };
  /** Once it was told so the process stands still, and meanwhile the rail settles what it had refused. */
  const standsStillOnceToldOf = ({ railKey }: Payout): void => {
    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      if (order.railKey === railKey && said.kind === 'refused') {
        world.rail.knows.set(railKey, settled('first'));
        standsStill(world, STANDSTILL_MS);
      }
      return said;
    });
  };
  /** And a worker comes. */
  const calls = async ({ id, status, toSend }: Payout): Promise<number> => {
    if (status === 'authorized' || toSend) await world.drive(id);
    return world.rail.calls.length;
  };

  test.each(['FR', 'DE', 'ES'])('stay where they are when they are withdrawn (%s)', async (country) => {
    const { scene, first } = await refusedOnce(country);
    standsStillOnceToldOf(first);
    const [made] = (await scene.withdraw()) as [Payout];
    expect(made).toMatchObject({ status: 'authorized', amountCents: 7_000 });
    expect(await calls(made)).toBe(0);
  });

  test.each(['DE', 'ES'])('leave with the request if the rail was asked a moment ago (%s)', async (country) => {
    const { scene } = await refusedOnce(country);
    expect((await scene.withdraw()).map(({ status }) => status)).toEqual(['submitted']);
    expect(world.rail.calls).toHaveLength(1);
  });

  test.each(['DE', 'ES'])('stay where they are when their next payout is released (%s)', async (country) => {
    const { scene, first } = await refusedOnce(country);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const [held] = (await scene.withdraw()) as [Payout];
    expect(held.status).toBe('held');
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    standsStillOnceToldOf(first);
    const released = await world.get(RemedyPayout).release(await world.payout(held.id), 'operator');
    expect(await calls(released)).toBe(0);
  });

  test.each(['DE', 'ES'])('stay where they are when their next payout is tried again (%s)', async (country) => {
    const { scene, first } = await refusedOnce(country);
    world.rail.answers = () => refused();
    const second = await withdrawn(scene);
    expect(second.status).toBe('failed');
    world.rail.knows.set(second.railKey, refused());
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('second');
    standsStillOnceToldOf(first);
    const tried = await world.get(RemedyPayout).retry(second, 'operator');
    expect(await calls(tried)).toBe(0);
  });
});

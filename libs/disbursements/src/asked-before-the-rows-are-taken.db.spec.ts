/**
 * A rail was asked what became of an earlier payout of the rows, and they are taken under locks then: very many, or on a slow disk, or
 * while the process stands still for less than PostgreSQL allows. By the time they are sent that no is old: the rail moved that money.
 */
import type { Client } from '#libs/clients';
import { DisbursementBook } from '#libs/owed';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled, standsStill } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const TAKES_MS = 20_000;

describe('rows that take long to be taken after their earlier payout was asked about', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test.each(['DE', 'ES'])('are sent by a job, which asks once more (%s)', async (country) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [first] = (await scene.withdraw()) as [Payout];
    expect(await world.status(first.id)).toBe('failed');
    world.rail.knows.set(first.railKey, refused());
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('second');
    await scene.push(1_000);

    const book = world.get(DisbursementBook);
    const take = book.take.bind(book);
    jest.spyOn(book, 'take').mockImplementation(async (order, limits) => {
      const taken = await take(order, limits);
      world.rail.knows.set(first.railKey, settled('first'));
      standsStill(world, TAKES_MS);
      return taken;
    });
    const [made] = (await scene.withdraw()) as [Payout];
    if (made.status === 'authorized') await world.drive(made.id);
    // 6,000 are owed, and moved as the first one.
    expect(world.rail.calls).toHaveLength(0);
  });

  test.each(['FR', 'IT'])('are not sent by a job that waited for its payout since it asked (%s)', async (country) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    const [first] = (await scene.withdraw()) as [Payout];
    await scene.refuse(first);
    world.rail.knows.set(first.railKey, refused());
    world.rail.calls.length = 0;
    world.rail.answers = () => accepted('second');
    await scene.push(1_000);
    const [made] = (await scene.withdraw()) as [Payout];
    expect(made.status).toBe('authorized');

    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      if (order.railKey !== first.railKey || said.kind !== 'refused') return said;
      world.rail.knows.set(first.railKey, settled('first'));
      // Somebody holds its row. The lease is renewed meanwhile, for the process does not stand still.
      await new Promise<void>((isHeld) =>
        world.later(
          world.db.outsideTransaction(() =>
            world.db.inTransaction(async () => {
              await world.db.execute('SELECT FROM payouts WHERE id = $1 FOR UPDATE', [made.id]);
              isHeld();
              await new Promise((resolve) => setTimeout(resolve, 1_500));
            }),
          ),
        ),
      );
      standsStill(world, TAKES_MS);
      return said;
    });
    await world.drive(made.id);
    expect(world.rail.calls).toHaveLength(0);
  });
});

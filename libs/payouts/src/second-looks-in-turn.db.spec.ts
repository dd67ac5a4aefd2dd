/**
 * Many payouts of one client fail together at a rail that takes five calls a second (swap_rail), and the last look within the minute is due. As many as
 * begin at once wait for their turns, one behind the other, and none is sent away; whoever is comes again in a moment, and not past the minute.
 */
import type { RailTraits } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { copiesOf, earlier, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';

const NAME = 'payout.second_look';
const FAILED = 60;
/** As many of a client's as `JOBS` has at once. */
const AT_ONCE = 12;
/** A place in the row comes free sooner. */
const A_MOMENT_SECONDS = 9;

describe('second looks at a rail that takes five calls a second', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  /** What a pump does: as many at once as its client may have, and the next one as soon as one is over. */
  const pumped = async (): Promise<void> => {
    const due = await world.db.rows<{ entityId: string }>('SELECT entity_id FROM jobs WHERE name = $1', [NAME]);
    const worker = async (): Promise<void> => {
      for (let next = due.pop(); next; next = due.pop()) await world.work(NAME, next.entityId);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };

  test('are all put within the minute', async () => {
    const client = await world.client();
    world.rail.answers = () => refused();
    const { id } = await world.pay(client, await world.payee(client, { country: 'IT' }));
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
    await earlier(world, id, '51 seconds');
    await copiesOf(world, await world.payout(id), FAILED - 1, { created_at: 'created_at' });
    await world.db.execute(
      `INSERT INTO jobs (name, entity_id, lane, owner, run_at, created_at)
       SELECT $1, id, client_id, '', now(), now() FROM payouts ON CONFLICT (name, entity_id) DO UPDATE SET run_at = now()`,
      [NAME],
    );
    const traits = world.get(Rails).traits.bind(world.get(Rails));
    jest
      .spyOn(world.get(Rails), 'traits')
      .mockImplementation((rail) => ({ ...(traits(rail) as RailTraits), callsPerSecond: 5 }));
    await pumped();
    const asked = new Set(world.rail.asked.map(({ payoutId }) => payoutId));
    const waits = await world.db.rows<{ entityId: string; seconds: number }>(
      `SELECT entity_id, extract(epoch FROM run_at - now())::float8 AS seconds FROM jobs WHERE name = $1`,
      [NAME],
    );
    const notAsked = waits.filter(({ entityId, seconds }) => !asked.has(entityId) && seconds > A_MOMENT_SECONDS);
    expect({ asked: asked.size, left: notAsked.length }).toEqual({ asked: FAILED, left: 0 });
  });
});

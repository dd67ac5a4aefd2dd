/**
 * A comparison with a rail is made each minute on the same few connections. After five times PostgreSQL may plan a statement once for all values:
 * it does if that seems cheaper, as it does while much more than usual was paid since the last comparison. Each of these payouts is then held
 * against each code of the list, one after the other, for a list that is not known when it is planned is put into no table first. One client who
 * pays very many at once is enough. A statement that takes longer than 30 seconds fails, and so does each comparison after it on that
 * connection, for what was paid since the last one only becomes more. Then rows of everybody over this rail wait.
 */
import { openDb } from '#libs/db/testing';
import { type Portion, RailLists } from '#libs/drift';
import { copiesOf, type MoneyWorld, settled } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';

const RAIL = 'at_once';
/** One client pays very many at once: all of them are on the list, and half were paid since the last comparison. */
const ALL = 60_000;
const PAID = 30_000;
/** Since this process was started. */
const COMPARED_BEFORE = 3;
/** While they are paid, each minute. */
const COMPARED_SINCE = 5;

describe('a long list, at a rail that was compared with before', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());

  test('is compared within the time that a statement has', async () => {
    const client = await world.client();
    world.rail.answers = () => settled();
    const { id } = await world.pay(client, await world.payee(client, { country: 'ES' }));
    const paid = await world.payout(id);
    expect(paid).toMatchObject({ status: 'paid', provider: RAIL });
    for (const [count, age] of [
      [ALL - PAID, '2 hours'],
      [PAID, '10 minutes'],
    ] as const)
      await copiesOf(world, paid, count, {
        ...{ updated_at: `now() - interval '${age}'`, provider_ref: 'gen_random_uuid()::text' },
      });
    await world.db.execute('ANALYZE payouts');
    const rows = await world.db.rows<{ railKey: string }>('SELECT rail_key FROM payouts WHERE provider = $1', [RAIL]);
    const ours = rows.map(({ railKey }) => railKey);
    const [{ now }] = (await world.db.rows<{ now: Date }>('SELECT now() AS now')) as [{ now: Date }];
    const before = (seconds: number): Date => new Date(now.getTime() - seconds * 1_000);
    const portion: Portion = {
      ...{ paidSince: before(1_200), movedSince: before(10_800), until: now },
      ...{ isLast: true, lateSeconds: 0, resets: 0 },
    };
    // One connection, as a busy pool has it.
    const { connections } = world.db as unknown as {
      connections: { dataSource: { options: { url: string } } };
    };
    const { db, close } = await openDb(connections.dataSource.options.url, { max: 1 });
    const lists = new RailLists(db);
    for (let minute = 0; minute < COMPARED_BEFORE; minute += 1)
      await lists.missingThere(RAIL, { ...portion, paidSince: before(500) }, ours.slice(0, 20));
    const took: string[] = [];
    for (let minute = 0; minute < COMPARED_SINCE; minute += 1) {
      const begun = performance.now();
      const missing = await lists.missingThere(RAIL, portion, ours).catch((error: Error) => error.message);
      took.push(`${Math.round(performance.now() - begun)} ms${Array.isArray(missing) ? '' : `: ${missing}`}`);
    }
    await close();
    process.stderr.write(`${took.join('\n')}\n`);
    expect(took.filter((each) => each.includes(':'))).toEqual([]);
  }, 300_000);
});

/**
 * A job looks at a payout of the caller's own, of which nothing is to be asked first. Before it takes the send on, a recovery link puts rows on it whose
 * first payout the rail paid after all: they are not sent under this code before the rail was asked about that one (point 2: recovery links keep the same rule).
 */
import { DisbursementBook } from '#libs/owed';
import type { Client } from '#libs/clients';
import type { MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { LinkRecovery } from './use-cases/link-recovery';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const IS_WAITED_FOR = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('rows that are linked to a payout which a job is about to take on', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test.each([false, true])('are not sent beside their first payout (linked a moment before: %s)', async (isBefore) => {
    world.rail.reset();
    const scene = await OwedScene.of(world, client, 'DE');
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused();
    const { id } = await world.pay(client, scene.payee, 6_000);
    world.rail.answers = () => NO_ANSWER;
    await world.drive(id);
    await world.age(id, 60);
    // Its next send is to be made.
    await world.db.execute('UPDATE payouts SET to_send = true WHERE id = $1', [id]);
    const calls = world.rail.callsOf(id).length;
    world.rail.knows.set(first.railKey, { kind: 'settled', providerRef: 'after all', settledAt: null });
    world.rail.answers = () => ({ kind: 'settled', providerRef: 'twice', settledAt: null });

    const job = await world.takeJob(id);
    const link = () => world.get(LinkRecovery).run(client, { replacementTransactionId: id, disbursementIds: [row] });
    if (isBefore) {
      await link();
      await world.drive(id, job);
    } else {
      const book = world.get(DisbursementBook);
      const attach = book.link.bind(book);
      let driven: Promise<unknown> | undefined;
      jest.spyOn(book, 'link').mockImplementation(async (...asked) => {
        driven = world.db.outsideTransaction(() => world.drive(id, job));
        while (!(await world.db.outsideTransaction(() => world.db.row(IS_WAITED_FOR))))
          await new Promise((resolve) => setImmediate(resolve));
        return attach(...asked);
      });
      await link();
      await driven;
    }
    expect(world.rail.callsOf(id).length - calls).toBe(0);
  });
});

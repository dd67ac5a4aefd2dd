/**
 * A payee clicks again and again on the gift that they were led to before. Each click has its rail asked what became of the payout, as
 * money asks: what its provider wants a rest from then closes the lane of everybody (ADR 105: a link rests links and openings alone).
 */
import type { Client } from '#libs/clients';
import { type MoneyWorld, settled, startMoneyWorld, waits } from '#libs/payouts/testing';
import { RailLanes } from '#libs/rail-registry';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import { visitOf } from './wallets-open.fake';

const CLICKS = 20;
const DUE = `SELECT entity_id FROM jobs WHERE name = 'payout.look' AND entity_id = $1 AND run_at <= now()`;

describe('a payee who clicks on their gift as often as they like', () => {
  let world: MoneyWorld;
  let client: Client;
  let payoutId: string;
  let railKey: string;
  beforeEach(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    // A rail writes such a note once for each gift.
    const handedOver = async (): Promise<void> => {
      await world.db.execute(
        `INSERT INTO rail_records (rail, key, value) VALUES ('gift_rail', 'handed_over:gift-1', '{}') ON CONFLICT DO NOTHING`,
      );
    };
    const payeeLink = async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' });
    Object.assign(world.rail, { payeeLink, handedOver });
    client = await world.client({ rateLimitPerMinute: 1_000 });
    const payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    ({ id: payoutId, railKey } = await world.pay(client, payee));
    await world.drive(payoutId);
    clicks = async () => void (await world.get(LeadPayee).run(await visitOf(world, client, payee, payoutId)));
    // The first one is news, and the payout is paid by that.
    world.rail.knows.set(railKey, settled());
    await clicks();
    await looks();
    expect(await world.status(payoutId)).toBe('paid');
  });
  afterEach(() => world.stop());

  let clicks: () => Promise<void>;

  /** What is due is done at once, as a worker with nothing else to do does. */
  async function looks(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      const due = await world.db.rows(DUE, [payoutId]);
      if (due.length > 0) return world.work('payout.look', payoutId);
    }
  }

  test('does not have its rail asked once more by each click', async () => {
    const before = world.rail.asked.length;
    for (let click = 0; click < CLICKS; click += 1) {
      await clicks();
      await looks();
    }
    expect(world.rail.asked.length - before).toBeLessThanOrEqual(2);
  });

  test('closes the lane of nobody, though its provider has enough of questions', async () => {
    world.rail.knows.set(railKey, { kind: 'not_now', afterSeconds: 30, detail: 'HTTP 429' });
    await clicks();
    await looks();
    expect(await world.get(RailLanes).closed()).toEqual([]);
  });
});

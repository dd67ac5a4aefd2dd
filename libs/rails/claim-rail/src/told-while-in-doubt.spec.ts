/**
 * PayPal's answer was lost, and the payout came to rest before anybody asked: to ask would be to send it once more. A notice of PayPal names the batch, which
 * can be asked about without sending anything: what is heard for a payout at rest is never dropped in silence.
 */
import type { Notice, Rail, RailOrder, RailStore, ReadsNotices } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';
import { Tries } from './tries';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('claim_rail, told by PayPal of what it is in doubt about', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let rail: Rail & ReadsNotices;
  let store: RailStore;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await paypalWorld(clock);
    store = memoryRailStores(clock)('claim_rail');
    rail = claimRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail & ReadsNotices;
    asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.paypal.register(asked.payee.email ?? '');
  });
  afterEach(() => world.close?.());

  const told = async (): Promise<Notice> => (await world.notice?.(asked)) as Notice;

  it('asks about the batch that a notice names, and sends nothing', async () => {
    world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
    expect(await rail.readNotice(await told())).toMatchObject({ kind: 'hints', railKeys: [asked.railKey] });
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'settled' });
    expect(world.paypal.sentAs(asked.railKey)).toHaveLength(1);
  });

  it('does not take the batch of another payment for it', async () => {
    world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
    await rail.submit(asked);
    const other = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
    await rail.submit(other);
    const batchId = String(world.paypal.sentAs(other.railKey)[0]?.batchId);
    await new Tries(store, clock).told(asked.railKey, batchId);
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
  });
});

/**
 * As `told-while-in-doubt`, but a batch before was denied. A notice of the last batch says that it was paid; what is heard for a payout at rest is never dropped in silence
 * (point 1). Neither by a notice of the batch before, which PayPal tells once more right after it (it repeats what was not taken, in no order), nor because PayPal cannot show that
 * batch now.
 */
import type { Rail, RailOrder, ReadsNotices } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };
const AT_REST = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;

describe('claim_rail, told by PayPal of what it is in doubt about, after a batch that was denied', () => {
  const clock = new FixedClock();
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let rail: Rail & ReadsNotices;
  let asked: RailOrder;

  beforeEach(async () => {
    world = await paypalWorld(clock);
    rail = claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail & ReadsNotices;
    asked = testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005 });
    world.paypal.register(asked.payee.email ?? '');
    world.paypal.state.balances.USD = 0;
    await rail.submit(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    world.paypal.state.balances.USD = 1_000_000;
    world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(world.paypal.sentAs(asked.railKey).map(({ status }) => status)).toEqual(['SUCCESS', 'DENIED']);
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'unknown' });
  });
  afterEach(() => world.close?.());

  const told = async (status: string): Promise<void> => {
    const of = world.paypal.noticesOf(asked.railKey).find(({ body }) => String(body).includes(status));
    if (!of) throw new Error(`No notice says ${status}.`);
    expect(await rail.readNotice({ headers: of.headers, body: Buffer.from(of.body) })).toMatchObject({ kind: 'hints' });
  };

  it('hears of the last one', async () => {
    await told('DENIED');
    await told('SUCCE');
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'settled' });
  });

  it('also if it is told once more of the one before', async () => {
    await told('SUCCE');
    await told('DENIED');
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'settled' });
  });

  it('also if the one before cannot be shown', async () => {
    await told('SUCCE');
    const [, denied] = world.paypal.sentAs(asked.railKey);
    const path = `/v1/payments/payouts/${denied?.batchId}`;
    world.paypal.faults.ask({ effect: 'server_error', match: { method: 'GET', path }, times: 100 });
    expect(await rail.lookup(asked, AT_REST)).toMatchObject({ kind: 'settled' });
  });
});

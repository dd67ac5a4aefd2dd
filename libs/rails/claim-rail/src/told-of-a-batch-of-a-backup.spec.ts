/**
 * A database was restored to where PayPal's answer to the first try was missing. PayPal had denied that batch since, and the second try was paid. A notice of the first
 * batch (PayPal repeats for three days what was not taken while the service was down) names it: a look-up must not call the payout refused by that, as it
 * did not before notices named batches (ADR 82: "to call it refused first let its rows leave with others, under another code, while the next name was paid").
 */
import type { Rail, RailOrder, RailStore, ReadsNotices } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';
import { Tries, type Try } from './tries';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };

describe('claim_rail, told of a batch by a notice, after a restore', () => {
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

  it.each([false, true])('says nothing that lets its rows leave (told: %s)', async (isTold) => {
    world.paypal.state.balances.USD = 0;
    world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
    await rail.submit(asked);
    const backup = (await store.read<Try>(`payout:${asked.railKey}`)) as Try;
    await rail.lookup(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    world.paypal.state.balances.USD = 1_000_000;
    await rail.submit(asked);
    expect(world.paypal.sentAs(asked.railKey).map(({ status }) => status)).toEqual(['SUCCESS', 'DENIED']);
    clock.advance(120);
    const batchId = String(world.paypal.sentAs(asked.railKey)[1]?.batchId);
    await store.update<Try>(`payout:${asked.railKey}`, () => backup);
    if (isTold) await new Tries(store, clock).told(asked.railKey, batchId);
    const atRest = { signal: new AbortController().signal, movesNothing: 'at_rest' } as const;
    const said = [await rail.lookup(asked), await rail.lookup(asked, atRest)];
    expect(said.map(({ kind }) => kind)).not.toContain('refused');
  });
});

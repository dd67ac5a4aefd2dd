/** Rows whose payout came back for now leave again under the same code, to the account that their payee has by then. */
import { randomUUID } from 'node:crypto';
import type { LookupAnswer, Rail, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialA } from './custodial-a';
import type { CustodialARail } from './custodial-a.rail';
import { PAYEE, stripeWorld } from './custodial-a.world.fake';

const wanted = (said: SubmitAnswer | LookupAnswer): string | undefined =>
  said.kind === 'accepted' ? said.next?.leg : undefined;

describe('custodial_a, of a payee who has another account since', () => {
  it('pays what was taken back from the old account to the new one', async () => {
    const clock = new FixedClock();
    const world = await stripeWorld(clock);
    const rail = custodialA.create({
      ...{ store: memoryRailStores(clock)('custodial_a'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as CustodialARail;
    try {
      const before: RailOrder = testOrder(custodialA.traits, {
        ...{ currency: 'EUR', amountCents: 1_005, accountId: PAYEE },
      });
      const leg = (name: string) => rail.advance(before, { name, key: randomUUID(), firstSentAt: clock.now() });
      await rail.submit(before);
      world.stripe.destines(before.railKey, 'could_not_process');
      await leg('payout');
      expect(await leg('pull_back')).toMatchObject({ kind: 'refused', failure: 'transient' });
      delete world.stripe.state.fates[before.railKey];
      world.stripe.hasAccount({ id: 'acct_new' });
      const after = { ...before, accountId: 'acct_new', payoutId: randomUUID() };
      expect(wanted(await rail.submit(after))).toBe('payout');
      expect(wanted(await rail.lookup(after))).toBe('payout');
    } finally {
      await world.close?.();
    }
  });
});

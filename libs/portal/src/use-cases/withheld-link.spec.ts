/** A link of a gift that was made and not handed on: its payee was blocked while the rail made it. Nobody was led there, and nobody is. */
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { giftRail } from '../../../rails/gift-rail/src/gift-rail';
import type { GiftRail } from '../../../rails/gift-rail/src/gift-rail.rail';
import { tremendousWorld } from '../../../rails/gift-rail/src/gift-rail.world.fake';
import { LeadPayee } from './lead-payee';
import type { ClaimVisit } from './visit-claim';

describe('a payee who is blocked while the link to their gift is made', () => {
  it('is not led there by the next click either: it was never handed over', async () => {
    const clock = new FixedClock();
    const store = memoryRailStores(clock)('gift_rail');
    const world = await tremendousWorld({ clock, store });
    const rail = giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as GiftRail;
    try {
      const order = testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005 });
      expect(await rail.submit(order)).toMatchObject({ kind: 'awaiting_payee' });
      const came = { id: 'ada', blocked: false, emailChangedAt: null, identityChangedAt: null };
      let now = came;
      const links = {
        link: async () => {
          const made = await rail.payeeLink(order);
          now = { ...came, blocked: true }; // an operator, meanwhile
          return made;
        },
      };
      const lead = new LeadPayee({ find: async () => now } as never, { orderOf: async () => order } as never, links as never);
      const click = async () => {
        // As the core has it: what the rail calls settled is paid.
        const { kind } = await rail.lookup(order);
        const payout = { clientId: 'one', provider: 'gift_rail', status: kind === 'settled' ? 'paid' : 'submitted' };
        return lead.run({ payee: now, payout } as never as ClaimVisit);
      };
      expect(await click()).toBeNull();
      expect(await click()).toBeNull();
    } finally {
      await world.close?.();
    }
  });
});

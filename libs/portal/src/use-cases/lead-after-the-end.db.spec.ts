/**
 * A click has its link made, and waits for its payee, whom somebody else holds. Meanwhile somebody cancels the gift at its provider, the
 * rail says so, and the payout has ended: its money is owed again, or paid by other means.
 */
import type { Client } from '#libs/clients';
import type { LookupAnswer } from '#libs/rail-kit';
import { type MoneyWorld, refused, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import { visitOf } from './wallets-open.fake';

/** As gift_rail says of an order that was cancelled: before its payee was led to it, and after. */
const EXPIRED = { ...refused(), failure: 'expired' } as LookupAnswer;
const CAME_BACK = { kind: 'bounced', feeCents: 0 } as const;

describe('a click on a gift that is cancelled before the link is handed on', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  test('hands nothing over of a payout that has ended, and no difference is named', async () => {
    const handedOver: string[] = [];
    const payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    Object.assign(world.rail, {
      payeeLink: async () => {
        world.rail.knows.set(railKey, EXPIRED);
        await world.drive(id);
        expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
        return { kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' };
      },
      handedOver: async (_: object, of: string) => {
        handedOver.push(of);
        world.rail.knows.set(railKey, CAME_BACK);
      },
    });
    const led = await world.get(LeadPayee).run(await visitOf(world, client, payee, id));
    await world.lookOnceMore(id);
    const drift = await world.db.rows('SELECT kind, our_status FROM drift WHERE payout_id = $1', [id]);
    expect({ led, handedOver, drift }).toEqual({ led: null, handedOver: [], drift: [] });
  });
});

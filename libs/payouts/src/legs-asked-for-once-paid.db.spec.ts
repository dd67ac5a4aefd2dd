/** A look-up that lags behind asks a paid payout for a call that it made, under another key: a rail that does not look first would pay again. */
import type { Client } from '#libs/clients';
import { hasLegUnderWay, type Payout } from '#libs/payout-rules';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, thenDo } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

describe('a paid payout that a look-up from before asks for a call', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const { passes, says, pay, inLegs, drive, callsOf, keysOf, knows } = legsScene(() => ({ world, client }));

  const askedOncePaid = async (): Promise<Payout> => {
    const payout = await inLegs();
    says({ payout: settled() });
    const paid = await drive(payout);
    knows(payout, thenDo('payout'));
    await world.get(AskRail).lookUp(paid);
    const asked = await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    expect([asked.status, hasLegUnderWay(asked)]).toEqual(['paid', true]);
    await isDue(payout);
    return payout;
  };
  /** What its rail asked for may be made now, and was asked for more than two minutes ago. */
  const isDue = async (payout: Payout): Promise<unknown> => {
    await passes(payout, 130);
    return world.db.execute(
      `UPDATE payouts SET legs = jsonb_set(legs, '{-1,notBefore}', to_jsonb(now() - interval '1 second')) WHERE id = $1`,
      [payout.id],
    );
  };

  test('makes no call, and is done with it once its rail says again that it is paid', async () => {
    const payout = await askedOncePaid();
    knows(payout, settled());
    const after = await drive(payout);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    expect([after.status, hasLegUnderWay(after)]).toEqual(['paid', false]);
  });

  test('makes neither of two that two look-ups ask for, as after two notices', async () => {
    says({ first: thenDo('convert'), convert: thenDo('payout'), payout: settled() });
    const payout = await pay();
    const paid = await drive(payout, 3);
    expect([paid.status, ...callsOf(payout)]).toEqual(['paid', 'first', 'convert', 'payout']);
    knows(payout, thenDo('convert'));
    await world.get(AskRail).lookUp(paid);
    knows(payout, thenDo('payout'));
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'convert', 'payout']);
    expect(keysOf('payout').size).toBe(1);
  });

  test('makes it if its rail asks for it still, and is done once that is answered', async () => {
    const payout = await askedOncePaid();
    const after = await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'payout', 'payout']);
    expect([after.status, hasLegUnderWay(after)]).toEqual(['paid', false]);
  });
});

/** Its rail answers the call that pulls back what a bank sent back, and tells by a look-up only that the money is here: somebody has to ask. */
import type { Client } from '#libs/clients';
import type { SubmitAnswer } from '#libs/rail-kit';
import { accepted, legsScene, type MoneyWorld, settled, startMoneyWorld, thenDo } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

describe('a paid payout whose money was pulled back', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  const { says, inLegs, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  test.each<[string, SubmitAnswer]>([
    ['settled', settled()],
    ['accepted', accepted()],
  ])('is asked about, and counts as returned (the call was %s)', async (_, answer) => {
    world.rail.reset();
    const payout = await inLegs();
    says({ payout: settled() });
    const paid = await drive(payout);
    knows(payout, thenDo('pull_back'));
    await world.get(AskRail).lookUp(paid);
    says({ pull_back: answer });
    await drive(payout);
    expect(callsOf(payout)).toEqual(['first', 'payout', 'pull_back']);
    knows(payout, { kind: 'bounced', feeCents: 5 });
    await world.look(payout.id);
    expect(await world.status(payout.id)).toBe('returned');
  });
});

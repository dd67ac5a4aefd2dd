/** An empty page of account holders that others follow is not the end of the list: the account that is looked for may stand behind it. */
import type { Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialB } from './custodial-b';
import type { CustodialBRail } from './custodial-b.rail';
import { adyenWorld } from './custodial-b.world.fake';

it('custodial_b opens no second account after an empty page', async () => {
  const clock = new FixedClock();
  const store = memoryRailStores(clock)('custodial_b');
  const world = await adyenWorld(clock);
  const rail = custodialB.create({
    ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
    settings: world.settings,
  }) as Rail as CustodialBRail;
  try {
    const { payee } = testOrder(custodialB.traits);
    const asked = { key: 'account-1', payee: { ...payee, name: 'Ada Byron', country: 'DE' } };
    world.adyen.faults.ask({ effect: 'cut_after', match: { method: 'POST', path: '/bcl/v2/accountHolders' } });
    expect((await rail.openAccount(asked)).kind).toBe('unknown');
    clock.advance(61);
    const match = { method: 'GET', path: '/bcl/v2/balancePlatforms/' };
    const body = { accountHolders: [], hasNext: true, hasPrevious: false };
    world.adyen.faults.ask({ effect: 'answer', match, answer: { status: 200, body } });
    await rail.openAccount(asked);
    await rail.openAccount(asked);
    expect(world.adyen.state.holders.filter(({ reference }) => reference === 'account-1')).toHaveLength(1);
  } finally {
    await world.close?.();
  }
});

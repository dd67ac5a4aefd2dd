/** An empty page that others follow is not the end of a list: the account that is looked for may stand behind it. So may it behind those of others. */
import type { Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { custodialB } from './custodial-b';
import type { CustodialBRail } from './custodial-b.rail';
import { adyenWorld } from './custodial-b.world.fake';

const HOLDERS = { made: '/bcl/v2/accountHolders', listed: '/bcl/v2/balancePlatforms/' };
const ACCOUNTS = { made: '/bcl/v2/balanceAccounts', listed: '/bcl/v2/accountHolders/' };
const PAGES = { hasNext: true, hasPrevious: false };
const OF_OTHERS = {
  id: 'BA_OTHER',
  accountHolderId: 'AH_OTHER',
  defaultCurrencyCode: 'EUR',
  timeZone: 'Europe/Berlin',
};

it.each([
  ['holder', HOLDERS, { accountHolders: [], ...PAGES }],
  ['balance account', ACCOUNTS, { balanceAccounts: [], ...PAGES }],
  ['balance account, behind those of others', ACCOUNTS, { balanceAccounts: [OF_OTHERS], ...PAGES, hasNext: false }],
])('custodial_b opens no second %s', async (_, { made, listed }, body) => {
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
    world.adyen.faults.ask({ effect: 'cut_after', match: { method: 'POST', path: made } });
    expect((await rail.openAccount(asked)).kind).toBe('unknown');
    clock.advance(61);
    const match = { method: 'GET', path: listed };
    world.adyen.faults.ask({ effect: 'answer', match, answer: { status: 200, body } });
    expect((await rail.openAccount(asked)).kind).toBe('unknown');
    expect((await rail.openAccount(asked)).kind).toBe('opened');
    const { holders, accounts } = world.adyen.state;
    const named = [holders, accounts].map((all) => all.filter(({ reference }) => reference === 'account-1'));
    expect(named.map(({ length }) => length)).toEqual([1, 1]);
  } finally {
    await world.close?.();
  }
});

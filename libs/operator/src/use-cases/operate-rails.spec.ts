import type { RailCaller, RailIdentity, RailLanes, Rails } from '#libs/rail-registry';
import { OperateRails } from './operate-rails';
import type { RailDeeds } from './rail-deeds';

describe('who looks at the rails', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** One rail, which says how often it was asked what it has. */
  function looking() {
    let asked = 0;
    const rail = { definition: { name: 'toy' }, rail: {}, missingSettings: [] };
    const rails = { all: () => [rail] } as unknown as Rails;
    const funding = async () => [{ currency: 'USD', availableCents: (asked += 1) }];
    const caller = { funding, healthOf: () => true } as unknown as RailCaller;
    const lanes = { closed: async () => [], awaited: async () => [] } as unknown as RailLanes;
    const identity = { bound: async () => null } as unknown as RailIdentity;
    const operate = new OperateRails(rails, caller, lanes, identity, {} as RailDeeds);
    return async () => (await operate.all())[0]?.funding?.[0]?.availableCents;
  }

  test('again and again takes no turns from payouts: what a rail has is asked for every few seconds', async () => {
    const look = looking();
    expect(await Promise.all(Array.from({ length: 50 }, look))).toEqual(Array(50).fill(1));
    jest.advanceTimersByTime(4_000);
    expect(await look()).toBe(1);
    jest.advanceTimersByTime(2_000);
    expect(await look()).toBe(2);
  });
});

/** Stripe knows the key of an opening with other words. What came of them is listed, and maybe late. */
import { randomUUID } from 'node:crypto';
import { FixedClock } from '#libs/rail-kit/testing';
import { stripeWorld } from './custodial-a.world.fake';
import { openRail, type StripeWorld } from './open-rail.fake';

describe('an opening of custodial_a, whose key Stripe knows with other words', () => {
  let clock: FixedClock;
  let world: StripeWorld;
  const payee = { id: randomUUID(), externalId: 'ada', email: 'ada@example.com', name: 'Ada', country: 'DE' };
  const [before, again] = [
    { key: 'opening-1', payee },
    { key: 'opening-1', payee: { ...payee, id: randomUUID(), email: 'ada@example.org' } },
  ];

  beforeEach(async () => {
    clock = new FixedClock();
    world = await stripeWorld(clock);
  });
  afterEach(() => world.close?.());

  it('finds the account that was opened with them', async () => {
    const opened = await openRail(world, clock).openAccount(before);
    // Others were opened since, and the database is restored to long before.
    await openRail(world, clock).openAccount({ ...before, key: 'opening-2' });
    clock.advance(86_000);
    expect(await openRail(world, clock).openAccount(again)).toEqual(opened);
  });

  it('is waited for while its account may be listed late, and never opened a second time', async () => {
    const opened = await openRail(world, clock).openAccount(before);
    const rail = openRail(world, clock);
    const { accounts } = world.stripe.state;
    const late = accounts.splice(accounts.findIndex(({ metadata }) => metadata.opening === before.key));
    expect(await rail.openAccount(again)).toMatchObject({ kind: 'unknown' });
    clock.advance(590);
    expect(await rail.openAccount(again)).toMatchObject({ kind: 'unknown' });
    clock.advance(11);
    accounts.push(...late);
    expect(await rail.openAccount(again)).toEqual(opened);
  });

  it('goes on under the next key if nothing was opened with them', async () => {
    await openRail(world, clock).openAccount(before);
    const rail = openRail(world, clock);
    const { accounts } = world.stripe.state;
    accounts.splice(accounts.findIndex(({ metadata }) => metadata.opening === before.key));
    expect(await rail.openAccount(again)).toMatchObject({ kind: 'unknown' });
    clock.advance(601);
    expect(await rail.openAccount(again)).toMatchObject({ kind: 'opened' });
    expect(accounts.filter(({ metadata }) => metadata.opening === before.key)).toHaveLength(1);
  });
});

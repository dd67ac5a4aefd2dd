/**
 * A rail whose withdrawals are sent by their request (PayPal) is bound to another account after the one before said no of the rows just then, and before
 * they leave. That one may pay them yet, under the code that it knows them by: they are not sent to the other one, which does not know it (point 2).
 */
import type { Client } from '#libs/clients';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { RailIdentity } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

const RAIL = 'claim_rail';
const works = (account: string) => ({ kind: 'works', account, mode: 'live' }) as const;

describe('rows that are withdrawn while their rail is bound to another account', () => {
  let world: MoneyWorld;
  let client: Client;
  let accounts = 0;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  const NOTED = async () => undefined;
  /** A version from before migration 86 sent it: only the times tell with which account. */
  const OF_BEFORE = async () => {
    await world.db.execute('UPDATE payouts SET sent_with = NULL');
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 day'`);
  };
  const AT_ONCE = async () => undefined;
  /** The withdrawal waits for somebody who holds its payee: less than the ten seconds for which a no counts. */
  const SIX_SECONDS_LATER = () =>
    world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '6 seconds'`);

  test.each([
    ['sent by this version', NOTED, AT_ONCE],
    ['sent by an earlier version', OF_BEFORE, AT_ONCE],
    ['and wait for their payee meanwhile', NOTED, SIX_SECONDS_LATER],
  ])('%s, are not sent to that one', async (_, sentBy, wait) => {
    world.rail.reset();
    const [now, next] = [`acct_${(accounts += 1)}`, `acct_${(accounts += 1)}`];
    await world.get(RailIdentity).rebind(RAIL, works(now));
    world.rail.verify = async () => works(now);
    await world.get(RailIdentity).judge(RAIL, works(now));
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    const payout = await scene.sentAndRefused();
    await sentBy();
    let isHeard = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (isHeard = resolve));
    const withdrawn = scene.withdraw();
    await world.rail.lookingUp(payout.railKey);
    // A process that was started with the credentials of the next account, which an admin binds.
    world.rail.verify = async () => works(next);
    await world.get(RailIdentity).judge(RAIL, works(next));
    await world.get(RailIdentity).rebind(RAIL, works(next));
    await wait();
    world.rail.answers = () => settled('of the next account');
    isHeard();
    await withdrawn.catch(() => undefined);
    expect(world.rail.calls.map(({ order }) => order.railKey)).toEqual([payout.railKey]);
  });
});

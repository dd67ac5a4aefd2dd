/**
 * A backup is of the minutes before the calls that paid a payout. The restored database hears only that it is paid, and knows of no call. If
 * its bank sends the money back, that lies in its payee's account at the provider, and has to be pulled back from there.
 */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { SubmitFact } from '#libs/rail-kit';
import {
  accepted,
  isRestored,
  legsScene,
  type MoneyWorld,
  refused,
  settled,
  startMoneyWorld,
  thenDo,
} from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

describe('what was paid in legs in the time that a restored database lost, and comes back from its bank', () => {
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

  /** As rails in legs say it: with the time at which it arrived. */
  const arrived = (): SubmitFact => ({ ...settled(), settledAt: systemClock.now() }) as SubmitFact;
  const { says, pay, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  /** The bank had it, and sent it back: its rail asks for the money to be pulled back, and says so when that is done. */
  const comesBack = async (payout: Payout): Promise<Payout> => {
    expect(await world.status(payout.id)).toBe('paid');
    knows(payout, thenDo('pull_back'));
    says({ pull_back: settled() });
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    await drive(payout).catch(() => null); // without a call to make it has no job
    if (callsOf(payout).includes('pull_back')) knows(payout, { kind: 'bounced', feeCents: 0 } as never);
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    return world.payout(payout.id);
  };

  test('is pulled back if its first call was still to be made when the backup was', async () => {
    const payout = await pay();
    await isRestored(world);
    // It looks what is there before it calls.
    knows(payout, arrived());
    says({ first: arrived() });
    await drive(payout);
    const after = await comesBack(payout);
    expect(callsOf(payout)).toEqual(['first', 'pull_back']);
    expect(after.status).toBe('returned');
  });

  test('is pulled back if nobody had heard the answer to its first call when the backup was made', async () => {
    says({ first: { kind: 'unknown', detail: 'no answer' } });
    const payout = await pay();
    await drive(payout);
    await isRestored(world);
    // To the bank, where it stays for a day, and then it is there.
    knows(payout, accepted());
    await world.age(payout.id, 120);
    await drive(payout);
    knows(payout, arrived());
    await world.age(payout.id, 120);
    await drive(payout);
    const after = await comesBack(payout);
    expect(callsOf(payout)).toEqual(['first', 'pull_back']);
    expect(after.status).toBe('returned');
  });

  test('is pulled back if it had been refused when the backup was made, and was tried again since', async () => {
    says({ first: thenDo('payout'), payout: thenDo('pull_back'), pull_back: refused() });
    const payout = await pay();
    await drive(payout, 3);
    expect(await world.status(payout.id)).toBe('failed');
    await isRestored(world);
    world.rail.calls.length = 0;
    knows(payout, arrived());
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    const after = await comesBack(payout);
    expect(callsOf(payout)).toEqual(['pull_back']);
    expect(after.status).toBe('returned');
  });
});

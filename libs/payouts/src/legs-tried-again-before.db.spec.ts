/**
 * A backup is of the minutes in which money was pulled back. After it the payout was refused and tried again, and what the next try brought to
 * its payee's account lies there: the restored database has to bring it to its end.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { SubmitFact } from '#libs/rail-kit';
import { isRestored, legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';

describe('a payout in legs, of a restored database, that was tried again in the time that was lost', () => {
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

  const { says, pay, drive, callsOf, knows } = legsScene(() => ({ world, client }));
  /** By the name of the first transfer of the next try. */
  const ofNextTry = (): SubmitFact => ({ ...thenDo('payout'), providerRef: 'ref-2' }) as SubmitFact;
  /** As it was when the backup was made: what was to go to the bank is pulled back, and nobody heard the answer. */
  const pulledBack = async (): Promise<Payout> => {
    says({ first: thenDo('payout'), payout: thenDo('pull_back') });
    const payout = await pay();
    await drive(payout, 2);
    const [leg] = (await world.payout(payout.id)).legs.slice(-1);
    expect(leg).toMatchObject({ name: 'pull_back', toSend: true });
    await drive(payout);
    await world.age(payout.id, 120);
    await isRestored(world);
    return world.payout(payout.id);
  };

  test('goes on with the call that its rail asks for now', async () => {
    const payout = await pulledBack();
    expect(callsOf(payout)).toEqual(['first', 'payout', 'pull_back']);
    knows(payout, ofNextTry());
    says({ payout: settled('ref-2') });
    for (let times = 0; times < 6; times += 1) {
      await world.age(payout.id, 120);
      await drive(payout).catch(() => null); // it may be at rest by now, and have no job
    }
    expect(callsOf(payout)).toEqual(['first', 'payout', 'pull_back', 'payout']);
    expect(await world.status(payout.id)).toBe('paid');
  });

  test('pulls that back as well, if it is not paid out either', async () => {
    const payout = await pulledBack();
    knows(payout, ofNextTry());
    const isToBePulledBack = { ...thenDo('pull_back'), providerRef: 'ref-2' } as SubmitFact;
    says({ payout: isToBePulledBack, pull_back: refused() });
    for (let times = 0; times < 2; times += 1) {
      await world.age(payout.id, 120);
      await drive(payout);
    }
    expect(callsOf(payout).slice(3)).toEqual(['payout']);
    knows(payout, isToBePulledBack);
    await world.age(payout.id, 120);
    await drive(payout);
    expect(callsOf(payout).slice(3)).toEqual(['payout', 'pull_back']);
    expect(await world.status(payout.id)).toBe('failed');
  });
});

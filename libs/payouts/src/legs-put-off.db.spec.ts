/** A call that its rail puts off for longer than its provider remembers keys: money that a bank lets out late, an account in debt. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { Rails } from '#libs/rail-registry';
import { legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';

/** The rails of the spec keep keys for an hour. */
const HALF = 1_800;

describe('a call that its rail asks for again and again', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    const rails = world.get(Rails);
    const known = rails.traits('claim_rail') as NonNullable<ReturnType<Rails['traits']>>;
    jest.spyOn(rails, 'traits').mockReturnValue({ ...known, looksBeforeCalls: true });
  });
  afterEach(() => jest.restoreAllMocks());

  const { says, inLegs, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  /** Its rail is asked each time before the call is made, for it asked for it a while ago. */
  const isPutOff = async (payout: Payout, name: string): Promise<void> => {
    knows(payout, thenDo(name));
    says({ [name]: thenDo(name, HALF) });
    for (let time = 0; time < 4; time += 1) {
      await drive(payout);
      await world.age(payout.id, HALF);
    }
    expect(callsOf(payout).filter((call) => call === name)).toHaveLength(4);
  };

  test('is made once it can be, if its rail looks before it calls', async () => {
    const payout = await inLegs();
    await isPutOff(payout, 'payout');
    says({ payout: settled() });
    expect((await drive(payout)).status).toBe('paid');
  });

  test('is followed by the next one, which waits for as long', async () => {
    const payout = await inLegs();
    await isPutOff(payout, 'payout');
    says({ payout: thenDo('pull_back') });
    await drive(payout);
    await isPutOff(payout, 'pull_back');
    says({ pull_back: refused() });
    expect((await drive(payout)).status).toBe('failed');
  });
});

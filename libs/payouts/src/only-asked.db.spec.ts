/**
 * Some rails look up by sending again. Only what is under way is looked up so: what is at rest may have left as another payout, and
 * what was sent with another account would be paid by this one as well.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailIdentity } from '#libs/rail-registry';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';
import { GiveUpPayout } from './use-cases/give-up-payout';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('a look-up that may move money', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const sent = async (answer: ReturnType<typeof refused> | typeof NO_ANSWER): Promise<Payout> => {
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, await world.payee(client, { country: 'DE' }));
    await world.drive(id);
    return world.payout(id);
  };
  const asked = async ({ id }: Payout) => {
    world.rail.movesNothing.length = 0;
    await world.get(AskRail).ask(await world.payout(id));
    return world.rail.movesNothing;
  };

  test('is one of what is under way', async () => {
    expect(await asked(await sent(NO_ANSWER))).toEqual([undefined]);
  });

  test('is none of what failed for now, or was given up', async () => {
    const payout = await sent(refused());
    expect(await asked(payout)).toEqual(['at_rest']);
    await world.get(GiveUpPayout).run(payout, 'looked at');
    expect(await asked(payout)).toEqual(['at_rest']);
  });

  test('is none of what was sent with another account', async () => {
    const payout = await sent(NO_ANSWER);
    for (const account of ['acct_1', 'acct_2'])
      await world.get(RailIdentity).rebind('claim_rail', { account, mode: 'live' });
    expect(await asked(payout)).toEqual(['sent_elsewhere']);
  });
});

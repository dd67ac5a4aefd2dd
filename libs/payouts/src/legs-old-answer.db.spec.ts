/**
 * What is started over after calls that followed its first one makes them under other keys. Its rail said no of it, and then the process stood
 * still, or waited for its row: by the time the send is taken on that no is old, and the rail moved the money since. The same of a call that
 * the rail asked for, and of one that its payee begins.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { LookupAnswer } from '#libs/rail-kit';
import {
  legsScene,
  type MoneyWorld,
  refused,
  settled,
  standsStill,
  startMoneyWorld,
  thenDo,
  waits,
} from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';
import { RemedyPayout } from './use-cases/remedy-payout';
import { TakeAttempts } from './use-cases/take-attempts';

const TAKES_MS = 20_000;
/** A call that a rail asked for may be made for longer than that. */
const TAKES_LONGER_MS = 70_000;

describe('a payout in legs whose rail is heard long before what it says is acted on', () => {
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
  afterEach(() => jest.restoreAllMocks());

  const { passes, says, pay, inLegs, drive, callsOf, knows } = legsScene(() => ({ world, client }));

  /** It moves what it spoke of once it has answered, and tells nobody; whoever asked stands still meanwhile. */
  const movesOnceAsked = (payout: Payout, { says: isSaid, forMs }: { says: LookupAnswer['kind']; forMs: number }) => {
    const lookup = world.rail.lookup.bind(world.rail);
    jest.spyOn(world.rail, 'lookup').mockImplementation(async (order, call) => {
      const said = await lookup(order, call);
      if (said.kind !== isSaid) return said;
      knows(payout, settled());
      standsStill(world, forMs);
      return said;
    });
  };
  const failedInLegs = async (payout: Payout): Promise<Payout> => {
    says({ payout: refused() });
    const failed = await drive(payout);
    expect(failed).toMatchObject({ status: 'failed', failureKind: 'transient' });
    knows(payout, refused());
    return failed;
  };

  test('is not begun anew before its rail says no once more', async () => {
    const payout = await inLegs();
    await world.get(RemedyPayout).retry(await failedInLegs(payout), 'client');
    says({ first: thenDo('payout'), payout: settled('again') });
    movesOnceAsked(payout, { says: 'refused', forMs: TAKES_MS });
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    expect(await world.status(payout.id)).toBe('paid');
  });

  test('is not begun anew by the request that tries it again, where requests send', async () => {
    says({ first: thenDo('payout') });
    const payout = await pay('ES');
    const failed = await failedInLegs(payout);
    says({ first: thenDo('payout'), payout: settled('again') });
    movesOnceAsked(payout, { says: 'refused', forMs: TAKES_MS });
    const after = await world.get(RemedyPayout).retry(failed, 'client');
    expect(after).toMatchObject({ status: 'submitted', toSend: true });
    expect((await drive(payout)).status).toBe('paid');
    expect(callsOf(payout)).toEqual(['first', 'payout']);
  });

  test('makes no call that its rail asked for long ago, as it said once more, and long ago again', async () => {
    const payout = await inLegs();
    await passes(payout, 120);
    knows(payout, thenDo('payout'));
    says({ payout: settled('again') });
    movesOnceAsked(payout, { says: 'accepted', forMs: TAKES_LONGER_MS });
    expect(await drive(payout, 2)).toMatchObject({ status: 'paid', providerRef: 'ref' });
    expect(callsOf(payout)).toEqual(['first']);
  });

  test('nor one that it asked for just now when the job came to it, and long ago when it is taken on', async () => {
    const payout = await inLegs();
    says({ payout: settled('again') });
    const taking = world.get(TakeAttempts);
    const take = taking.take.bind(taking);
    jest.spyOn(taking, 'take').mockImplementationOnce((wish) => {
      knows(payout, settled());
      standsStill(world, TAKES_LONGER_MS);
      return take(wish);
    });
    expect((await drive(payout, 2)).status).toBe('paid');
    expect(callsOf(payout)).toEqual(['first']);
  });

  test('is not begun by its payee either', async () => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    says({ drain: settled('again') });
    movesOnceAsked(payout, { says: 'awaiting_payee', forMs: TAKES_MS });
    const begins = async () => world.get(BeginLeg).run(await world.payout(payout.id), 'wallet-1');
    await expect(begins()).rejects.toMatchObject({ code: 'illegal_transition' });
    expect((await drive(payout)).status).toBe('paid');
    expect(callsOf(payout)).toEqual(['first']);
  });
});

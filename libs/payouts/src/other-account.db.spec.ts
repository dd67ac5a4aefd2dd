/** A rail that is bound to another account of its provider knows nothing of what was sent before: it never calls that a no. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { SubmitFact } from '#libs/rail-kit';
import { RailIdentity } from '#libs/rail-registry';
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';
import { RemedyPayout } from './use-cases/remedy-payout';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const RAILS = { FR: 'custodial_a', DE: 'claim_rail', IT: 'swap_rail', ES: 'at_once' };
const COUNTRIES = Object.keys(RAILS) as (keyof typeof RAILS)[];

describe('what was sent with another account of its provider', () => {
  let world: MoneyWorld;
  let client: Client;
  let accounts = 0;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    for (const rail of Object.values(RAILS)) await bind(rail);
  });

  const bind = (rail: string, account = `acct_${(accounts += 1)}`) =>
    world.get(RailIdentity).rebind(rail, { account, mode: 'live' });
  const boundNow = async (rail: string) => (await world.get(RailIdentity).bound(rail))?.account;
  const sent = async (country: keyof typeof RAILS, answer: SubmitFact): Promise<Payout> => {
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, payee);
    if (country !== 'ES') await world.drive(id); // there the request sends it
    world.rail.answers = () => accepted('of the other account');
    return world.payout(id);
  };
  /** No call can be under way any more. */
  const settles = ({ id }: Payout) => world.age(id, 60);
  const HELD = { status: 'held', statusReason: expect.stringContaining('another account') as string };

  describe.each(COUNTRIES)('(%s)', (country) => {
    test.each([
      ['without an answer', NO_ANSWER],
      ['and taken on', accepted()],
    ])('%s, is not sent again: it is held, and somebody finds out', async (_, answer) => {
      const payout = await sent(country, answer);
      await settles(payout);
      await bind(RAILS[country]);
      await world.drive(payout.id);
      expect(world.rail.calls).toHaveLength(1);
      expect(await world.payout(payout.id)).toMatchObject(HELD);
      const release = world.get(RemedyPayout).release(await world.payout(payout.id), 'operator');
      await expect(release).rejects.toThrow('to send it again could pay twice');
      expect(world.rail.calls).toHaveLength(1);
    });

    test('and refused, is not tried again, whatever was said of it before', async () => {
      const payout = await sent(country, refused());
      world.rail.knows.set(payout.railKey, refused());
      await world.get(AskRail).lookUp(payout);
      world.rail.knows.clear();
      await bind(RAILS[country]);
      const retry = world.get(RemedyPayout).retry(await world.payout(payout.id), 'client');
      await expect(retry).rejects.toThrow('to send it again could pay twice');
      expect(world.rail.calls).toHaveLength(1);
    });

    test('goes on once its account is bound again, and says what it knows', async () => {
      const before = await boundNow(RAILS[country]);
      const payout = await sent(country, NO_ANSWER);
      await settles(payout);
      await bind(RAILS[country]);
      await world.drive(payout.id);
      await bind(RAILS[country], before);
      world.rail.knows.set(payout.railKey, { kind: 'settled', providerRef: 'ref', settledAt: null });
      await world.lookOnceMore(payout.id);
      expect(await world.status(payout.id)).toBe('paid');
    });

    test('is sent again once its account is bound again, and never saw it', async () => {
      const before = await boundNow(RAILS[country]);
      const payout = await sent(country, NO_ANSWER);
      await settles(payout);
      await bind(RAILS[country]);
      await world.drive(payout.id);
      expect(await world.payout(payout.id)).toMatchObject(HELD);
      await bind(RAILS[country], before);
      await world.get(RemedyPayout).release(await world.payout(payout.id), 'operator');
      if (country !== 'ES') await world.drive(payout.id); // there the request sends it
      expect(world.rail.calls.map(({ order }) => order.railKey)).toEqual([payout.railKey, payout.railKey]);
      expect((await world.payout(payout.id)).providerRef).toBe('of the other account');
    });

    test('says nothing of what is sent since, be it in the very moment', async () => {
      await bind(RAILS[country]);
      const payout = await sent(country, NO_ANSWER);
      await settles(payout);
      await world.drive(payout.id);
      expect(world.rail.calls).toHaveLength(2);
    });

    test('is not sent again for a no of the one account that is heard when the other one is bound again', async () => {
      const before = await boundNow(RAILS[country]);
      const payout = await sent(country, NO_ANSWER);
      await settles(payout);
      await bind(RAILS[country]);
      let answer = (): void => undefined;
      world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
      const driven = world.drive(payout.id);
      await world.rail.lookingUp(payout.railKey);
      await bind(RAILS[country], before);
      answer();
      await driven;
      expect(world.rail.calls).toHaveLength(1);
      expect((await world.payout(payout.id)).clearedAt).toBeNull();
    });
  });

  test('is not taken for what the new one sent, by a clock that was ahead', async () => {
    const payout = await sent('DE', NO_ANSWER);
    await world.age(payout.id, -1_200); // it was sent while the clock was ahead
    await bind(RAILS.DE);
    await world.age(payout.id, 1_260);
    await world.drive(payout.id);
    expect(world.rail.calls).toHaveLength(1);
    expect(await world.payout(payout.id)).toMatchObject(HELD);
  });

  /** A failed payout is asked about a few times more. What another account says of it is no answer, so that is no time it was asked. */
  test.each([
    ['while nobody answers', false],
    ['while a wrong account is bound, which answers', true],
  ])('is asked about again, its last second look having come %s', async (_, isWrong) => {
    const before = (await boundNow(RAILS.DE)) as string;
    const payout = await sent('DE', refused());
    expect(await world.status(payout.id)).toBe('failed');
    await world.age(payout.id, 2 * 86_400);
    await world.db.execute(`UPDATE payouts SET updated_at = updated_at - interval '2 days' WHERE id = $1`, [payout.id]);
    if (isWrong) await bind(RAILS.DE);
    else world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'no answer' });
    expect(await world.lookOnceMore(payout.id)).toEqual({ againInSeconds: expect.any(Number) });
    if (isWrong) await bind(RAILS.DE, before);
    world.rail.knows.set(payout.railKey, { kind: 'settled', providerRef: 'ref', settledAt: null });
    await world.lookOnceMore(payout.id);
    expect(await world.status(payout.id)).toBe('paid');
  });

  test('the same account bound once more is no other one', async () => {
    const rail = RAILS.DE;
    const payout = await sent('DE', NO_ANSWER);
    await settles(payout);
    const { account, mode } = (await world.get(RailIdentity).bound(rail)) ?? { account: '', mode: 'live' };
    await world.get(RailIdentity).rebind(rail, { account, mode });
    await world.drive(payout.id);
    expect(world.rail.calls).toHaveLength(2);
  });
});

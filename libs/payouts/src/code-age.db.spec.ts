/** From when on a code counts, and what a rail's no is worth: on every rail, whoever hears of it, and in whatever order. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { GiveUpPayout } from './use-cases/give-up-payout';
import { RemedyPayout } from './use-cases/remedy-payout';
import { PayoutJobs } from './use-cases/payout-jobs';
import { AskRail } from './use-cases/ask-rail';

/** The rails of the spec keep codes for an hour. */
const PAST_MEMORY = 2 * 3600;
const WITHIN_MEMORY = 3000;
const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const LINK = { kind: 'awaiting_payee', providerRef: 'ref', claimUrl: 'https://example.com/claim' } as const;
const RAILS = [
  ['an account', 'FR'],
  ['a claim', 'DE'],
  ['a swap', 'IT'],
  ['a rail that settles at once', 'ES'],
] as const;

describe('how long a code counts', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const sent = async (country: string, answer = accepted() as ReturnType<typeof refused>): Promise<Payout> => {
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, payee);
    if (country !== 'ES') await world.drive(id); // there the request sends it
    world.rail.answers = () => accepted('two');
    return world.payout(id);
  };
  const retry = async ({ id }: Payout) => world.get(RemedyPayout).retry(await world.payout(id), 'client');
  const release = async ({ id }: Payout) => world.get(RemedyPayout).release(await world.payout(id), 'client');
  /** The rail has nothing of it. */
  const forgets = ({ railKey }: Payout): boolean => world.rail.knows.delete(railKey);
  const expectNotSentAgain = async ({ id }: Payout, calls = 1): Promise<void> => {
    await world.drive(id);
    await world.drive(id);
    expect(world.rail.calls).toHaveLength(calls);
  };

  describe('of what the rail refused, and took on after all', () => {
    const HEARD: Record<string, (payout: Payout) => Promise<unknown>> = {
      'a question': async ({ id }) => world.get(AskRail).lookUp(await world.payout(id)),
      'a second look': ({ id }) => world.lookOnceMore(id),
      'a notice': async (payout) => {
        await world.get(PayoutJobs).look(payout);
        await world.look(payout.id);
      },
      'the retry of its caller': (payout) => expect(retry(payout)).rejects.toThrow('submitted'),
    };
    const cases = RAILS.flatMap(([rail, country]) =>
      Object.keys(HEARD).map((heard) => [rail, heard, country] as const),
    );

    test.each(cases)('to %s, as %s tells: from its send', async (_, heard, country) => {
      const payout = await sent(country, refused());
      world.rail.knows.set(payout.railKey, country === 'DE' ? LINK : accepted());
      await HEARD[heard]?.(payout);
      expect(await world.status(payout.id)).toBe('submitted');
      await world.age(payout.id, PAST_MEMORY);
      forgets(payout);
      await expectNotSentAgain(payout);
      // It is at the rail: nobody takes it for what never arrived.
      expect(await world.payout(payout.id)).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
    });

    test.each(RAILS.slice(0, 3))('for lack of funds, to %s', async (_, country) => {
      const payout = await sent(country, refused('funding'));
      world.rail.knows.set(payout.railKey, accepted());
      await world.lookOnceMore(payout.id);
      expect(await world.status(payout.id)).toBe('submitted');
      await world.age(payout.id, PAST_MEMORY);
      forgets(payout);
      await expectNotSentAgain(payout);
    });

    // With the refusal they forgot when it was sent, and an acceptance after it wrote nothing down.
    test.each(RAILS)('to %s, as versions before this one heard of it: from its submission', async (_, country) => {
      const payout = await sent(country, refused());
      world.rail.knows.set(payout.railKey, country === 'DE' ? LINK : accepted());
      await world.get(AskRail).lookUp(payout);
      await world.db.execute('UPDATE payouts SET code_since = NULL WHERE id = $1', [payout.id]);
      await world.age(payout.id, PAST_MEMORY);
      forgets(payout);
      await expectNotSentAgain(payout);
      expect(await world.payout(payout.id)).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
    });

    test('as the woken answer of its first send tells, which was tried again since', async () => {
      const { id, railKey } = await world.pay(client, await world.payee(client));
      const woken = world.drive(id);
      const first = await world.rail.call(1);
      await world.age(id, 60);
      world.rail.answers = () => refused();
      await world.drive(id);
      expect(await world.status(id)).toBe('failed');
      world.rail.knows.set(railKey, refused());
      await world.age(id, WITHIN_MEMORY);
      await retry(await world.payout(id));
      world.rail.answers = () => NO_ANSWER;
      await world.drive(id);
      const since = (await world.payout(id)).codeSince;
      world.rail.answers = null;
      first.answer(accepted());
      await woken;
      const { codeSince } = await world.payout(id);
      expect(codeSince?.getTime()).toBeLessThan(since?.getTime() ?? 0);
      // It was refused since, so it is not taken for the answer to the last try: the rail is asked.
      world.rail.knows.set(railKey, accepted('another'));
      await world.look(id);
      expect(await world.payout(id)).toMatchObject({ status: 'submitted', providerRef: 'another', acceptedAttempt: 3 });
    });
  });

  describe('a rail that says that it never saw it', () => {
    const STATES = [
      ['failed', 'DE', refused(), retry],
      ['failed for lack of funds', 'IT', refused('funding'), retry],
      ['held for lack of funds', 'FR', refused('funding'), release],
    ] as const;

    test.each(STATES)('may have forgotten what is %s', async (_, country, answer, again) => {
      const payout = await sent(country, answer);
      await world.age(payout.id, PAST_MEMORY);
      await expect(again(payout)).rejects.toThrow('no longer honours');
      expect(world.rail.calls).toHaveLength(1);
      // One that says that it refused it remembers it.
      world.rail.knows.set(payout.railKey, refused());
      await again(payout);
      await world.drive(payout.id);
      expect(world.rail.calls).toHaveLength(2);
    });

    test.each(STATES)('says no while it remembers: what is %s is tried for as long as it takes', async (...state) => {
      const [, country, answer, again] = state;
      const payout = await sent(country, answer);
      for (const calls of [2, 3, 4]) {
        await world.age(payout.id, WITHIN_MEMORY);
        await again(payout);
        world.rail.answers = () => answer;
        await world.drive(payout.id);
        expect(world.rail.calls).toHaveLength(calls);
      }
    });

    test.each([
      ['settled', { kind: 'settled', providerRef: 'ref', settledAt: null }, 'paid'],
      ['accepted', accepted(), 'submitted'],
    ] as [string, LookupFact, string][])('and has it as %s is believed, however old the code', async (...told) => {
      const [, fact, status] = told;
      const payout = await sent('DE', refused());
      await world.age(payout.id, PAST_MEMORY);
      world.rail.knows.set(payout.railKey, fact);
      await expect(retry(payout)).rejects.toThrow(status);
      expect(await world.status(payout.id)).toBe(status);
    });
  });

  describe('what was sent and never arrived, past its code', () => {
    const OLD = { status: 'held', statusReason: expect.stringContaining('no longer honours its code') as string };
    const lost = async (country: string): Promise<Payout> => {
      const payout = await sent(country, NO_ANSWER as never);
      expect(payout.status).toBe('submitted');
      await world.age(payout.id, PAST_MEMORY);
      return payout;
    };

    test.each(RAILS)('to %s: is held, and may be failed', async (_, country) => {
      const payout = await lost(country);
      await world.drive(payout.id);
      expect(await world.payout(payout.id)).toMatchObject(OLD);
      expect(world.rail.calls).toHaveLength(1);
      await expect(release(payout)).rejects.toThrow('no longer honours');
      const failed = await world.get(GiveUpPayout).run(await world.payout(payout.id), 'it never arrived');
      expect(failed).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    });

    test('waits while its rail cannot be asked', async () => {
      const payout = await lost('DE');
      world.rail.knows.set(payout.railKey, NO_ANSWER);
      await expectNotSentAgain(payout);
      expect(await world.status(payout.id)).toBe('submitted');
    });

    test('waits while a call may be under way', async () => {
      const payout = await lost('DE');
      await world.db.execute(
        `UPDATE payouts SET open_attempts = jsonb_set(open_attempts, '{0,takenAt}', to_jsonb(now())) WHERE id = $1`,
        [payout.id],
      );
      await expectNotSentAgain(payout);
      expect(await world.status(payout.id)).toBe('submitted');
    });

    test('waits while its client is suspended', async () => {
      const payout = await lost('DE');
      await world.setStatus(client, 'suspended');
      await world.drive(payout.id);
      expect(await world.status(payout.id)).toBe('submitted');
      await world.setStatus(client, 'active');
      await world.drive(payout.id);
      expect(await world.payout(payout.id)).toMatchObject(OLD);
    });

    test('goes on where its money moved after all', async () => {
      const payout = await lost('DE');
      await world.drive(payout.id);
      world.rail.knows.set(payout.railKey, { kind: 'settled', providerRef: 'ref', settledAt: null });
      await world.lookOnceMore(payout.id);
      expect(await world.status(payout.id)).toBe('paid');
    });
  });
});

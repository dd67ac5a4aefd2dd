/** Answers come late, cross, and speak of an earlier payout of the same code: each counts for what it was asked about. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { AskRail } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const BOUNCED = { kind: 'bounced', feeCents: 0 } as const;
const PAST_MEMORY = 2 * 3600;

describe('answers that cross', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  const kindsOf = async (...payouts: Payout[]): Promise<string[]> => {
    const drift = await Promise.all(payouts.map((payout) => scene.openDrift(payout)));
    return drift.flat().map(({ kind, providerRef }) => `${kind} ${providerRef}`);
  };
  const ask = async (payout: Payout): Promise<Payout> => world.get(AskRail).lookUp(await world.payout(payout.id));

  describe('with an earlier payout of the same rows', () => {
    /** The first was sent, its answer is late, and it was refused meanwhile: its rows are on the second, under its code. */
    const both = async () => {
      await scene.push(6_000);
      const [first] = (await scene.withdraw()) as [Payout];
      const asleep = world.drive(first.id);
      world.later(asleep);
      const late = await world.rail.call(1);
      await world.age(first.id, 60);
      world.rail.knows.set(first.railKey, refused());
      await ask(first);
      expect(await world.status(first.id)).toBe('failed');
      const [second] = (await scene.withdraw()) as [Payout];
      expect(second.railKey).toBe(first.railKey);
      return { first, second, late, asleep };
    };
    const SECOND: Record<string, (payout: Payout) => Promise<unknown>> = {
      accepted: async ({ id }) => {
        world.rail.answers = () => accepted('two');
        await world.drive(id);
      },
      paid: async ({ id }) => {
        world.rail.answers = () => settled('two');
        await world.drive(id);
      },
      returned: async (payout) => {
        await SECOND.paid?.(payout);
        await scene.tells(payout, BOUNCED);
        expect(await world.status(payout.id)).toBe('returned');
      },
    };
    const states = Object.keys(SECOND);

    test.each(
      states.flatMap((state) => [
        [state, 'settled', settled('one')] as const,
        [state, 'accepted', accepted('one')] as const,
      ]),
    )('that is %s: the first, %s under another reference after all, is named', async (state, _, fact) => {
      const { first, second, late, asleep } = await both();
      await SECOND[state]?.(second);
      const before = await world.status(second.id);
      late.answer(fact);
      await asleep;
      if (fact.kind === 'accepted') {
        // It may have been refused since: the rail is asked which one it means now.
        expect(await kindsOf(first, second)).toEqual([]);
        world.rail.knows.set(second.railKey, fact);
        await world.look(second.id);
      }
      expect(await kindsOf(first, second)).toEqual(['amount_differs one']);
      expect(await world.status(second.id)).toBe(fact.kind === 'settled' && state === 'accepted' ? 'paid' : before);
    });

    test.each([...states, 'without an answer'])(
      'that is %s: nothing differs where the rail tells the same of both, unless it is asked after the second came back',
      async (state) => {
        const { first, second, late, asleep } = await both();
        world.rail.answers = () => NO_ANSWER;
        await (SECOND[state] ?? (({ id }: Payout) => world.drive(id)))(second);
        late.answer(settled('two'));
        world.rail.knows.set(first.railKey, settled('two'));
        if (state === 'returned') await asleep;
        else await world.until(second.id, 'paid');
        // Of what came back the late answer says nothing new; a rail that is asked since then does.
        expect(await kindsOf(first, second)).toEqual([]);
        if (state === 'returned') await world.age(second.id, 60);
        await ask(first);
        expect(await kindsOf(first, second)).toEqual(state === 'returned' ? ['amount_differs two'] : []);
      },
    );

    test('its acceptance counts from the first send', async () => {
      const { first, second } = await both();
      world.rail.answers = () => NO_ANSWER;
      await world.drive(second.id);
      world.rail.knows.set(first.railKey, accepted());
      await world.age(first.id, PAST_MEMORY);
      await ask(first);
      const { codeSince } = await world.payout(first.id);
      expect(await world.payout(second.id)).toMatchObject({ codeSince, acceptedAttempt: null });
      // It may be an old word about the first one: the rail is asked about the second.
      await world.look(second.id);
      expect(await world.payout(second.id)).toMatchObject({ status: 'submitted', codeSince, acceptedAttempt: 1 });
      world.rail.knows.delete(first.railKey);
      await world.drive(second.id);
      expect(world.rail.calls).toHaveLength(2);
    });
  });

  describe('rows of a payout that was refused', () => {
    /** Whoever sends it there: what leaves as a claim is sent by the request. */
    const refusedThere = async (): Promise<Payout> => {
      world.rail.answers = () => refused();
      const [{ id, status }] = (await scene.withdraw()) as [Payout];
      if (status === 'authorized') await world.drive(id);
      world.rail.answers = () => accepted('two');
      return world.payout(id);
    };

    test.each(['FR', 'DE', 'IT'])('%s: stay while the rail may have forgotten it', async (country) => {
      scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      const payout = await refusedThere();
      await world.age(payout.id, PAST_MEMORY);
      await scene.push(1_000);
      expect(await scene.outcome()).toEqual([1_000]);
      expect(await scene.statuses(row)).toEqual(['owed']);
      world.rail.knows.set(payout.railKey, refused());
      expect(await scene.outcome()).toEqual([6_000]);
    });

    test.each(['FR', 'DE', 'IT'])('%s: and was taken on after all, are not sent a second time', async (country) => {
      scene = await OwedScene.of(world, client, country);
      const row = await scene.push(6_000);
      const payout = await refusedThere();
      world.rail.knows.set(payout.railKey, accepted());
      await world.lookOnceMore(payout.id);
      await world.age(payout.id, 3 * 86_400);
      world.rail.knows.delete(payout.railKey);
      await world.drive(payout.id);
      expect(world.rail.calls).toHaveLength(1);
      expect(await scene.statuses(row)).toEqual(['released']);
    });
  });

  describe('a question that was put before the acceptance was heard', () => {
    /** One worker's call is answered while another's question, put before, is under way: the rail had not seen it yet. */
    const crossed = async (of: Client, meanwhile: (payout: Payout) => Promise<unknown>): Promise<Payout> => {
      const payout = await world.pay(of, scene.payee, 5_000);
      const driving = world.drive(payout.id);
      const call = await world.rail.call(1);
      let open: () => void = () => undefined;
      world.rail.lookupGate = new Promise((resolve) => (open = resolve));
      const second = world.drive(payout.id);
      await world.rail.lookingUp(payout.railKey);
      call.answer(accepted('one'));
      await driving;
      await meanwhile(payout);
      world.rail.answers = () => accepted('one');
      open();
      await second;
      return world.payout(payout.id);
    };
    const block = () => world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);

    test.each<[string, (payout: Payout) => Promise<unknown>]>([
      ['nothing else', () => Promise.resolve()],
      ['its payee was blocked', block],
      ['its account stopped being payable', () => world.db.execute('UPDATE methods SET payable = false')],
      ['its code became old', ({ id }) => world.age(id, PAST_MEMORY)],
    ])('sends nothing and holds nothing: %s', async (_, meanwhile) => {
      expect(await crossed(client, meanwhile)).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
      expect(world.rail.calls).toHaveLength(1);
      await world.db.execute('UPDATE methods SET payable = true');
    });

    test('gives no wallet its money back', async () => {
      const prepaid = await world.client({ prepaid: true });
      scene = await OwedScene.of(world, prepaid);
      const wallet = { clientId: prepaid.id, currency: 'USD' };
      const deposit = { type: 'deposit', amountCents: 5_000, reference: randomUUID(), note: null } as const;
      await world.get(WalletBook).post({ ...wallet, ...deposit });
      await crossed(prepaid, block);
      const available = await world.db.inTransaction(() => world.get(WalletBook).lockAvailable([wallet]));
      expect([...available.values()]).toEqual([0]);
    });
  });

  describe('an acceptance that was asked for before the refusal', () => {
    test.each(['transient', 'permanent'] as const)('only asks again: %s', async (failure) => {
      await scene.push(6_000);
      const [payout] = (await scene.withdraw()) as [Payout];
      world.rail.answers = () => accepted();
      await world.drive(payout.id);
      const asked = await world.payout(payout.id);
      await scene.tells(payout, refused(failure));
      await world.get(AskRail).apply(asked, accepted());
      expect([await world.status(payout.id), await kindsOf(payout)]).toEqual(['failed', []]);
      await world.look(payout.id);
      expect([await world.status(payout.id), await kindsOf(payout)]).toEqual(['failed', []]);
      world.rail.knows.set(payout.railKey, accepted());
      await ask(payout);
      expect(await kindsOf(payout)).toHaveLength(failure === 'permanent' ? 1 : 0);
      expect(await world.status(payout.id)).toBe(failure === 'permanent' ? 'failed' : 'submitted');
    });

    test.each<[string, LookupFact]>([
      ['settled', settled('two')],
      ['accepted', accepted('two')],
    ])('an operator called it paid, and its call says %s under another reference', async (_, fact) => {
      await scene.push(6_000);
      const [payout] = (await scene.withdraw()) as [Payout];
      const driving = world.drive(payout.id);
      const call = await world.rail.call(1);
      await world.age(payout.id, 60);
      world.rail.knows.set(payout.railKey, refused());
      await ask(payout);
      await scene.isListed(payout, 'one');
      await scene.resolve(payout, 'paid');
      call.answer(fact as ReturnType<typeof accepted>);
      await driving;
      // That it was only accepted may be an old word: its rail is asked.
      world.rail.knows.set(payout.railKey, fact as ReturnType<typeof accepted>);
      if (fact.kind === 'accepted') await world.look(payout.id);
      expect(await world.status(payout.id)).toBe('paid');
      expect(await kindsOf(payout)).toEqual(['amount_differs two']);
    });
  });
});

/** What Tremendous does that the conformance suite does not ask every rail for. */
import type { LeadsPayees, Rail, RailOrder, ReportsFunding, Verifies } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { giftRail } from './gift-rail';
import { CREATE, LIST, tremendousWorld, turnedAway } from './gift-rail.world.fake';

type Whole = Rail & Verifies & ReportsFunding & LeadsPayees;

describe('gift_rail', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof tremendousWorld>>;
  let rail: Whole;
  let store: ReturnType<ReturnType<typeof memoryRailStores>>;
  const calls: { request: SandboxRequest; answer: SandboxAnswer }[] = [];

  beforeEach(async () => {
    calls.length = 0;
    clock = new FixedClock();
    store = memoryRailStores(clock)('gift_rail');
    world = await tremendousWorld({ clock, store }, (request, answer) => void calls.push({ request, answer }));
    rail = anotherProcess();
  });
  afterEach(() => world.close?.());

  function anotherProcess(changes: Record<string, string> = {}): Whole {
    return giftRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: { ...world.settings, ...changes },
    }) as Whole;
  }

  /** As the core does: the link goes out once that is noted. */
  const led = async (asked: RailOrder): Promise<void> => {
    const answer = await rail.payeeLink(asked);
    if (answer.kind !== 'link') throw new Error(`There is no link: ${answer.detail}`);
    await rail.handedOver(asked, answer.of);
  };
  const order = (changes: Partial<RailOrder> = {}): RailOrder =>
    testOrder(giftRail.traits, { currency: 'USD', amountCents: 1_005, ...changes });
  const created = (): SandboxRequest[] =>
    calls.map(({ request }) => request).filter(({ method, path }) => method === CREATE.method && path === CREATE.path);
  const statuses = ({ railKey }: RailOrder): string[] =>
    world.tremendous
      .ordersOf(railKey)
      .map(({ externalId, status }) => `${externalId?.slice(railKey.length)} ${status}`);
  const only = ({ railKey }: RailOrder) => {
    const [found] = world.tremendous.ordersOf(railKey);
    if (!found) throw new Error('It was not sent.');
    return found;
  };

  it('sends one order of one reward, with a link, in the name of its payer', async () => {
    const asked = order({ payerName: 'Ada & Sons' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'awaiting_payee', claimUrl: null });
    expect(JSON.parse(created()[0]?.body ?? '')).toEqual({
      external_id: asked.railKey,
      payment: { funding_source_id: 'BALANCE' },
      reward: {
        campaign_id: world.settings.GIFT_RAIL_CAMPAIGN_ID,
        value: { denomination: 10.05, currency_code: 'USD' },
        recipient: { name: asked.payee.name, email: asked.payee.email },
        delivery: { method: 'LINK', meta: { sender_name: 'Ada & Sons' } },
      },
    });
  });

  it('tells the fee, in the currency of the balance', async () => {
    const asked = order({ currency: 'EUR' });
    expect(await rail.submit(asked)).toMatchObject({ fee: { amountCents: 30, currency: 'USD' } });
  });

  it('waits while somebody at Tremendous has to approve it', async () => {
    const asked = order();
    world.tremendous.reviews(asked.payee.email ?? '');
    expect(await rail.submit(asked)).toMatchObject({ kind: 'accepted' });
    expect(await rail.payeeLink(asked)).toMatchObject({ kind: 'none' });
    world.tremendous.books.approve(only(asked));
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
  });

  describe('cancelled in the dashboard', () => {
    it('is refused as expired if nobody came for it, and is sent again under the next name', async () => {
      const asked = order();
      await rail.submit(asked);
      world.tremendous.books.cancel(only(asked));
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
      expect(await anotherProcess().submit(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(statuses(asked)).toEqual([' CANCELED', ':2 EXECUTED']);
    });

    it('comes back if it was handed over, less what Tremendous kept', async () => {
      const asked = order();
      await rail.submit(asked);
      await led(asked);
      world.tremendous.books.cancel(only(asked), 105);
      expect(await rail.lookup(asked)).toEqual({ kind: 'bounced', feeCents: 105 });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'settled' });
      expect(statuses(asked)).toEqual([' CANCELED']);
    });

    it('is unknown if less came back in another currency: nobody can say how much that is', async () => {
      const asked = order({ currency: 'EUR' });
      await rail.submit(asked);
      await led(asked);
      world.tremendous.books.cancel(only(asked), 105);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    });

    it('is unknown if the order failed after it was handed over: its payee may have the reward', async () => {
      const asked = order();
      await rail.submit(asked);
      await led(asked);
      only(asked).status = 'FAILED';
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(statuses(asked)).toEqual([' FAILED']);
    });

    it('is found under its last name when our own records are lost', async () => {
      const asked = order();
      await rail.submit(asked);
      world.tremendous.books.cancel(only(asked));
      await rail.lookup(asked);
      const { providerRef } = (await rail.submit(asked)) as { providerRef: string };
      store = memoryRailStores(clock)('gift_rail');
      const restored = anotherProcess();
      expect(await restored.lookup(asked)).toMatchObject({ kind: 'awaiting_payee', providerRef });
      expect(await restored.submit(asked)).toMatchObject({ kind: 'awaiting_payee', providerRef });
      expect(statuses(asked)).toEqual([' CANCELED', ':2 EXECUTED']);
    });
  });

  describe('whose answer was lost', () => {
    it.each([
      [402, 'Not enough funds'],
      [418, 'never heard of'],
    ])(
      'is not called not sent when it is turned away with %i: %s, and the list after that put off',
      async (status, message) => {
        const asked = order();
        world.tremendous.faults.ask({ effect: 'cut_after', match: CREATE });
        expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
        world.tremendous.faults.ask(turnedAway(status, message));
        world.tremendous.faults.ask({ effect: 'too_many', match: LIST, seconds: 60 });
        expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      },
    );

    it.each([
      [402, 'Not enough funds', 1],
      [402, 'Not enough funds', 3_600],
      [401, 'Unauthorized', 1],
      [422, 'Invalid inputs', 1],
    ])(
      'is not called refused when it is sent again and turned away with %i: %s, %i s',
      async (status, message, later) => {
        const asked = order();
        world.tremendous.faults.ask({ effect: 'cut_after', match: CREATE });
        expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
        clock.advance(later);
        world.tremendous.faults.ask(turnedAway(status, message));
        expect(await rail.submit(asked)).toMatchObject({ kind: 'awaiting_payee' });
        expect(statuses(asked)).toEqual([' EXECUTED']);
      },
    );

    it('is unknown for ten minutes when it is turned away, and never arrived', async () => {
      const asked = order();
      world.tremendous.faults.ask({ effect: 'cut_before', match: CREATE });
      await rail.submit(asked);
      world.tremendous.fund(0);
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      clock.advance(600);
      expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    });

    it('is not called unseen at rest before ten minutes are over, and is while it is under way', async () => {
      const asked = order();
      world.tremendous.faults.ask({ effect: 'cut_before', match: CREATE });
      await rail.submit(asked);
      const { signal } = new AbortController();
      const atRest = { signal, movesNothing: 'at_rest' } as const;
      expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
      expect(await rail.lookup(asked, atRest)).toMatchObject({ kind: 'unknown' });
      clock.advance(600);
      expect(await rail.lookup(asked, atRest)).toEqual({ kind: 'never_seen' });
    });

    it.each([
      ['of which the answer was lost', { effect: 'cut_before', match: CREATE } as const],
      ['that may arrive later, though it is turned away now', turnedAway(402, 'Not enough funds')],
    ])('is not called refused for the order before it: one %s', async (_, second) => {
      const asked = order();
      world.tremendous.reviews(asked.payee.email ?? '');
      await rail.submit(asked);
      world.tremendous.fund(0);
      world.tremendous.books.approve(only(asked));
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      for (const fault of [{ effect: 'cut_before', match: CREATE } as const, second]) {
        world.tremendous.faults.ask(fault);
        expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      }
      const { signal } = new AbortController();
      expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
      expect(await rail.lookup(asked, { signal, movesNothing: 'at_rest' })).toMatchObject({ kind: 'unknown' });
      clock.advance(600);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      expect(statuses(asked)).toEqual([' FAILED']);
    });

    it('leaves no doubt behind once a later call was turned away as well', async () => {
      const asked = order();
      world.tremendous.fund(0);
      await Promise.all([rail.submit(asked), anotherProcess().submit(asked)]);
      const { signal } = new AbortController();
      expect(await rail.lookup(asked, { signal, movesNothing: 'at_rest' })).toEqual({ kind: 'never_seen' });
    });
  });

  it('sends nothing when it is asked', async () => {
    await rail.lookup(order());
    expect(created()).toEqual([]);
  });

  it('does not take other words under a used name for its order', async () => {
    const asked = order();
    await rail.submit(asked);
    const other = { ...asked, payee: { ...asked.payee, email: 'eve@example.org' } };
    expect(await rail.submit(other)).toMatchObject({ providerRef: only(asked).id });
    expect(statuses(asked)).toEqual([' EXECUTED']);
  });

  it('believes no order but its own, and none of several', async () => {
    const asked = order();
    await rail.submit(asked);
    const mine = { id: 'A', external_id: asked.railKey, created_at: 'now', status: 'EXECUTED', rewards: [] };
    const lists = (orders: object[]): void =>
      world.tremendous.faults.ask({
        ...{ effect: 'answer', match: LIST },
        answer: { status: 200, body: { orders, total_count: 1 } },
      });
    lists([{ ...mine, external_id: 'another' }]);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    lists([mine, { ...mine, id: 'B' }]);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('reads an order whole that is listed without its rewards', async () => {
    const asked = order();
    await rail.submit(asked);
    const { id } = only(asked);
    const listed = { id, external_id: asked.railKey, created_at: 'now', status: 'EXECUTED' };
    const body = { orders: [listed], total_count: 1 };
    world.tremendous.faults.ask({ effect: 'answer', match: LIST, answer: { status: 200, body } });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee', echo: { amountCents: 1_005 } });
  });

  it('is unknown with a status that nobody mapped', async () => {
    const asked = order();
    await rail.submit(asked);
    const listed = { id: 'A', external_id: asked.railKey, created_at: 'now', status: 'RESTING', rewards: [] };
    const body = { orders: [listed], total_count: 1 };
    world.tremendous.faults.ask({ effect: 'answer', match: LIST, answer: { status: 200, body } });
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown', detail: expect.stringContaining('RESTING') });
  });

  it.each([
    [{ payment: { funding_source_id: 'is unknown' } }, 'credentials'],
    [{ reward: { campaign_id: 'is unknown' } }, 'credentials'],
    [{ reward: { recipient: { email: 'is invalid' } } }, 'permanent'],
  ])('takes what a setting says for no fault of the payout: %p', async (payload, failure) => {
    world.tremendous.faults.ask(turnedAway(422, 'Invalid inputs', payload));
    expect(await rail.submit(order())).toMatchObject({ kind: 'refused', failure });
  });

  it('says whose balance it pays from, and what lies in it', async () => {
    const account = world.tremendous.state.balanceId;
    expect(await rail.verify()).toEqual({ kind: 'works', account, mode: 'sandbox' });
    world.tremendous.fund(123_456);
    expect(await rail.funding()).toEqual([{ currency: 'USD', availableCents: 123_456 }]);
    world.tremendous.fund(-5);
    expect(await rail.funding()).toEqual([{ currency: 'USD', availableCents: 0 }]);
    expect(await anotherProcess({ GIFT_RAIL_API_KEY: 'of-others' }).verify()).toMatchObject({ kind: 'rejected' });
  });
});

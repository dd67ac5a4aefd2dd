/** What PayPal does that the conformance suite does not ask every rail for. */
import type { Rail, RailOrder, ReportsFunding, Verifies } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';
import { claimRail } from './claim-rail';
import { paypalWorld } from './claim-rail.world.fake';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };

describe('claim_rail', () => {
  let clock: FixedClock;
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let rail: Rail & Verifies & ReportsFunding;
  let store: ReturnType<ReturnType<typeof memoryRailStores>>;
  const calls: { request: SandboxRequest; answer: SandboxAnswer }[] = [];

  beforeEach(async () => {
    calls.length = 0;
    clock = new FixedClock();
    store = memoryRailStores(clock)('claim_rail');
    world = await paypalWorld(clock, (request, answer) => void calls.push({ request, answer }));
    rail = anotherProcess();
  });
  afterEach(() => world.close?.());

  function anotherProcess(changes: Record<string, string> = {}): Rail & Verifies & ReportsFunding {
    return claimRail.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: { ...world.settings, ...changes },
    }) as Rail & Verifies & ReportsFunding;
  }

  const order = (changes: Partial<RailOrder> = {}): RailOrder =>
    testOrder(claimRail.traits, { currency: 'USD', amountCents: 1_005, ...changes });
  const sentTimes = (): number =>
    calls.filter(({ request: { method, path } }) => method === CREATE.method && path === CREATE.path).length;
  const payments = ({ railKey }: RailOrder): string[] => world.paypal.sentAs(railKey).map(({ status }) => status);
  const tokens = (): number => calls.filter(({ request }) => request.path === '/v1/oauth2/token').length;

  it('sends one payment, with the amount as text and the payer in the subject', async () => {
    const asked = order({ payerName: 'Ada & Sons' });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'accepted' });
    expect(JSON.parse(calls.find(({ request }) => request.path === CREATE.path)?.request.body ?? '')).toEqual({
      sender_batch_header: { sender_batch_id: asked.railKey, email_subject: 'Ada & Sons sent you money' },
      items: [
        {
          recipient_type: 'EMAIL',
          receiver: asked.payee.email,
          amount: { value: '10.05', currency: 'USD' },
          sender_item_id: asked.railKey,
        },
      ],
    });
  });

  it('waits for a payee without an account, on the page of the core, until they claim it', async () => {
    const asked = order();
    await rail.submit(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee', claimUrl: null });
    const [payment] = world.paypal.sentAs(asked.railKey);
    const page = await fetch(`${String(world.settings.CLAIM_RAIL_BASE_URL)}/claim/${payment?.itemId}`, {
      method: 'POST',
      body: new URLSearchParams({ deed: 'hold' }),
    });
    expect(await page.text()).toContain('ONHOLD');
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'claimed' });
    world.paypal.books.claim(payment as NonNullable<typeof payment>, clock.now());
    expect(await rail.lookup(asked)).toMatchObject({
      kind: 'settled',
      settledAt: clock.now(),
      fee: { amountCents: 25 },
    });
  });

  it('is refused as expired after thirty days in which nobody came', async () => {
    const asked = order();
    await rail.submit(asked);
    clock.advance(30 * 86_400);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'expired' });
    expect(payments(asked)).toEqual(['RETURNED']);
  });

  describe('after a batch that PayPal denied', () => {
    let asked: RailOrder;

    beforeEach(async () => {
      asked = order();
      world.paypal.register(asked.payee.email ?? '');
      world.paypal.state.balances.USD = 1_000;
      await rail.submit(asked);
    });

    it('is refused for lack of funds, however often it is asked', async () => {
      for (const process of [rail, anotherProcess()])
        expect(await process.lookup(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
      expect(sentTimes()).toBe(1);
    });

    it('goes out once more under a number of its own when it is sent again', async () => {
      await rail.lookup(asked);
      world.paypal.state.balances.USD = 100_000;
      await anotherProcess().submit(asked);
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'settled', echo: { amountCents: 1_005 } });
      const names = world.paypal.sentAs(asked.railKey).map(({ senderBatchId }) => senderBatchId);
      expect(names).toEqual([`${asked.railKey}:2`, asked.railKey]);
      expect(payments(asked)).toEqual(['SUCCESS', 'DENIED']);
    });

    it('does not begin a new try before PayPal itself said what came of the one before', async () => {
      world.paypal.state.balances.USD = 100_000;
      await Promise.all([rail.submit(asked), anotherProcess().submit(asked)]);
      expect(payments(asked)).toEqual(['DENIED']);
    });

    it('moves once if two processes begin the next try at the same moment', async () => {
      await rail.lookup(asked);
      world.paypal.state.balances.USD = 100_000;
      await Promise.all([rail.submit(asked), anotherProcess().submit(asked), rail.submit(asked)]);
      expect(payments(asked)).toEqual(['SUCCESS', 'DENIED']);
    });

    it('finds the tries of before by their names when its own records are lost', async () => {
      await rail.lookup(asked);
      world.paypal.state.balances.USD = 100_000;
      await rail.submit(asked);
      store = memoryRailStores(clock)('claim_rail');
      const restored = anotherProcess();
      // Called refused, its rows could leave under another code.
      expect(await restored.submit(asked)).toMatchObject({ kind: 'settled' });
      expect(payments(asked)).toEqual(['SUCCESS', 'DENIED']);
    });

    it('finds them too if its records are of when the first answer was missing', async () => {
      await rail.lookup(asked);
      world.paypal.state.balances.USD = 100_000;
      await rail.submit(asked);
      store = memoryRailStores(clock)('claim_rail');
      world.paypal.faults.ask({ effect: 'cut_before', match: CREATE });
      const restored = anotherProcess();
      expect(await restored.submit(asked)).toMatchObject({ kind: 'unknown' });
      clock.advance(61);
      // A question begins no other name: it is sent again for that.
      expect(await restored.lookup(asked)).toEqual({ kind: 'never_seen' });
      expect(await restored.submit(asked)).toMatchObject({ kind: 'settled' });
      expect(payments(asked)).toEqual(['SUCCESS', 'DENIED']);
    });

    it('begins no other try while a call of this one, of a moment ago, has no answer', async () => {
      const next = order({ payee: asked.payee });
      world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
      expect(await rail.submit(next)).toMatchObject({ kind: 'unknown' });
      world.paypal.state.balances.USD = 100_000;
      expect(await anotherProcess().lookup(next)).toMatchObject({ kind: 'refused', failure: 'funding' });
      expect(payments(next)).toEqual(['DENIED']);
    });
  });

  describe('whose answer was lost', () => {
    it('is found under its name by another process', async () => {
      const asked = order();
      world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(await anotherProcess().lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(payments(asked)).toEqual(['UNCLAIMED']);
    });

    it.each([
      [422, 'INSUFFICIENT_FUNDS'],
      [403, 'NOT_AUTHORIZED'],
      [400, 'VALIDATION_ERROR'],
    ])('is not called refused when it is sent again and turned away with %i %s', async (status, name) => {
      const asked = order();
      world.paypal.faults.ask({ effect: 'silence_after', match: CREATE });
      world.paypal.faults.ask({
        effect: 'answer',
        match: CREATE,
        answer: { status, body: { name, message: 'no.', debug_id: '1' } },
      });
      expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
      expect(await rail.lookup(asked)).toMatchObject({
        kind: 'unknown',
        detail: expect.stringContaining(name) as string,
      });
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    });

    it('is sent no more once PayPal may have forgotten its name', async () => {
      const asked = order();
      world.paypal.faults.ask({ effect: 'cut_after', match: CREATE });
      await rail.submit(asked);
      clock.advance(29 * 86_400);
      for (const ask of [rail.lookup(asked), rail.submit(asked)]) expect(await ask).toMatchObject({ kind: 'unknown' });
      expect(sentTimes()).toBe(1);
    });
  });

  it.each([
    ['a word that stands in no table', 409, { name: 'REQUEST_IN_PROGRESS' }],
    ['a used name whose batch it does not tell', 400, { name: 'USER_BUSINESS_ERROR' }],
  ])('is not called unseen after %s: PayPal did not say that it did nothing', async (_, status, said) => {
    const asked = order();
    const answer = { status, body: { ...said, message: 'no.', debug_id: '1' } };
    world.paypal.faults.ask({ effect: 'answer', match: CREATE, answer, times: 2 });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'unknown' });
    expect(await anotherProcess().lookup(asked)).toMatchObject({ kind: 'unknown' });
  });

  it('is sent when it is tried again a month after PayPal turned it away', async () => {
    const asked = order();
    const answer = { status: 422, body: { name: 'INSUFFICIENT_FUNDS', message: 'no.', debug_id: '1' } };
    world.paypal.faults.ask({ effect: 'answer', match: CREATE, answer });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'funding' });
    clock.advance(30 * 86_400);
    expect(await anotherProcess().submit(asked)).toMatchObject({ kind: 'accepted' });
    clock.advance(28 * 86_400);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
    expect(payments(asked)).toEqual(['UNCLAIMED']);
  });

  it('sends nothing when it is asked about what PayPal turned away', async () => {
    const asked = order({ payee: { ...order().payee, email: 'nowhere' } });
    expect(await rail.submit(asked)).toMatchObject({ kind: 'refused', failure: 'permanent' });
    expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    expect(sentTimes()).toBe(1);
  });

  it.each([
    ['RECEIVER_UNREGISTERED', 'permanent'],
    ['SENDER_RESTRICTED', 'credentials'],
    ['BLOCKED', 'permanent'],
  ])('is refused when PayPal could not pay it: %s', async (error, failure) => {
    const asked = order();
    world.paypal.fails(asked.payee.email ?? '', error);
    await rail.submit(asked);
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'refused', failure });
  });

  describe('its token', () => {
    it('is asked for once, however many calls wait for it', async () => {
      await Promise.all(Array.from({ length: 5 }, () => rail.submit(order())));
      expect(tokens()).toBe(1);
    });

    it('is asked for again when it grows old, and when PayPal takes it back', async () => {
      const asked = order();
      await rail.submit(asked);
      clock.advance(32_400);
      await rail.lookup(asked);
      expect(tokens()).toBe(2);
      world.paypal.tokens.revoke();
      expect(await rail.lookup(asked)).toMatchObject({ kind: 'awaiting_payee' });
      expect(tokens()).toBe(3);
    });

    it('is not to be had with another secret: nothing is sent, and what was sent stays unknown', async () => {
      const stranger = anotherProcess({ CLAIM_RAIL_CLIENT_SECRET: 'another-secret' });
      expect(await stranger.verify()).toMatchObject({ kind: 'rejected' });
      expect(await stranger.submit(order())).toMatchObject({ kind: 'refused', failure: 'credentials' });
      expect(sentTimes()).toBe(0);
      const asked = order();
      await rail.submit(asked);
      expect(await stranger.lookup(asked)).toMatchObject({ kind: 'unknown' });
    });

    it('is waited for when PayPal gives none for now: the payment was not sent', async () => {
      world.paypal.faults.ask({ effect: 'server_error', match: { path: '/v1/oauth2/token' } });
      const asked = order();
      expect(await rail.submit(asked)).toMatchObject({ kind: 'not_now' });
      expect(await rail.lookup(asked)).toEqual({ kind: 'never_seen' });
    });
  });

  it('says whose account it speaks for, and what lies in it', async () => {
    expect(await rail.verify()).toEqual({ kind: 'works', account: 'SANDBXACCT234', mode: 'sandbox' });
    world.paypal.state.balances.USD = 123_456;
    expect(await rail.funding()).toContainEqual({ currency: 'USD', availableCents: 123_456 });
  });

  it('counts a currency as PayPal does', async () => {
    const asked = order({ currency: 'HUF', amountCents: 150_000 });
    await rail.submit(asked);
    expect(world.paypal.sentAs(asked.railKey)).toMatchObject([{ units: 1_500, currency: 'HUF' }]);
    expect(await rail.submit(order({ currency: 'HUF', amountCents: 150_050 }))).toMatchObject({ failure: 'permanent' });
  });

  it('believes no batch but its own', async () => {
    const [asked, other] = [order(), order()];
    await rail.submit(asked);
    await rail.submit(other);
    const [mine, theirs] = [asked, other].map(({ railKey }) => world.paypal.sentAs(railKey)[0]?.batchId);
    await store.update(`payout:${asked.railKey}`, (record) => ({ ...record, batchId: theirs ?? null }));
    expect(await rail.lookup(asked)).toMatchObject({ kind: 'unknown' });
    expect(mine).not.toBe(theirs);
  });
});

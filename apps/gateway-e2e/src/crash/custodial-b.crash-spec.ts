/** People are paid through Adyen, simulated: the shipped gateway, its own rail in legs, real HTTP between all of them. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { browse } from '../harness/browse';
import { query } from '../harness/database';
import { reasonOf } from '../harness/money';
import { owe, standing } from '../harness/owed';
import { CALL_EFFECTS, RailRun } from '../harness/rail-run';
import { SeenFaults } from '../harness/seen-faults';

const RAIL = 'custodial_b';
const TRANSFERS = { method: 'POST', path: '/btl/v4/transfers' };
const CALLS = ['internal', 'bank'] as const;
const NOTICE_EFFECTS = ['notice_twice', 'notice_reordered', 'notice_late', 'notice_lost', 'notice_forged'];
const CENTS = 2_005;
/** None of it belongs into a log. */
const PRIVATE =
  /AH_[0-9a-f]|BA[0-9A-F]{24}|\/onboarding\/[0-9A-F]|(platform|entities)_[A-Za-z0-9_-]{32}|Lovelace|@example/;

describe('custodial_b, by a simulated Adyen', () => {
  const seen = new SeenFaults(RAIL);
  let run: RailRun;

  beforeAll(async () => {
    // Silence is waited for: two seconds are enough of it.
    run = await RailRun.start(RAIL, { CUSTODIAL_B_TIMEOUT_MS: '2500' });
  });
  afterAll(() => run.stop());

  const noticesUrl = (): string => `${run.service.gateway.url}/rails/v1/${RAIL}/notices`;
  const verified = (): Promise<Json> => run.person(`AH_${randomUUID()}`);
  const balanceAccountOf = async ({ account }: Json): Promise<string> =>
    (await run.sandbox.books(RAIL)).accounts.find(({ holderId }: Json) => holderId === account).id;
  /** What went from the platform to somebody's account, from there to their bank, and back. */
  const booksOf = async (person: Json): Promise<Record<'funds' | 'banks' | 'backs', Json[]>> => {
    const theirs = await balanceAccountOf(person);
    const { transfers, platformAccount } = await run.sandbox.books(RAIL);
    const out = (transfers as Json[]).filter(
      ({ direction, status }) => direction === 'outgoing' && status !== 'refused',
    );
    return {
      funds: out.filter(({ counterparty }) => counterparty.balanceAccountId === theirs),
      banks: out.filter(({ account, category }) => account === theirs && category === 'bank'),
      backs: out.filter(
        ({ account, counterparty }) => account === theirs && counterparty.balanceAccountId === platformAccount,
      ),
    };
  };
  const expectPaidOnce = async (person: Json): Promise<void> => {
    const { funds, banks, backs } = await booksOf(person);
    expect(funds).toMatchObject([{ units: CENTS, status: 'booked', currency: 'EUR' }]);
    expect([banks.map(({ units, status }) => ({ units, status })), backs]).toEqual([
      [{ units: CENTS, status: 'booked' }],
      [],
    ]);
  };
  /** That call for somebody. */
  const matchOf = async (person: Json, call: string): Promise<Json> => {
    const account = `"balanceAccountId":"${await balanceAccountOf(person)}"`;
    return { ...TRANSFERS, contains: call === 'bank' ? `${account},"category":"bank"` : `"counterparty":{${account}}` };
  };
  const noted = async (person: Json, payout: Json): Promise<void> => {
    const { funds, banks } = await booksOf(person);
    const left = [funds, banks].map((all) => all.filter(({ units }) => units === CENTS).length);
    seen.note(person.call, person.effect, { payout, movements: Math.max(...left) });
  };
  const bankOf = async (person: Json): Promise<Json> => (await booksOf(person)).banks[0] as Json;

  it('pays by two transfers, once, tells so when it is booked, and when it arrived once the bank says that', async () => {
    const ada = await verified();
    // The second transfer is put off until it was said what is to become of it.
    const match = await matchOf(ada, 'bank');
    await run.sandbox.fault(RAIL, { effect: 'too_many', match, seconds: 1, times: 1_000_000 });
    const { id } = await run.pay(ada, CENTS);
    const { funds } = await eventually(
      () => booksOf(ada),
      (books) => books.funds.length > 0,
    );
    const { reference } = funds[0] as Json;
    await run.does('wait', { reference, until: 'booked' });
    await run.sandbox.forgetFaults(RAIL);
    expect(await run.reads(id, 'paid')).toMatchObject({ settledAt: null });
    await run.told(id, 'paid');
    await run.does('credit', { transfer: reference });
    await eventually(
      () => run.reads(id, 'paid'),
      ({ settledAt }) => settledAt !== null,
    );
    await expectPaidOnce(ada);
  });

  describe('whose account is opened here', () => {
    let shop: ApiClient;
    let ada: Json;
    const now = async (): Promise<Json> => (await shop.get(`/payees/${ada.id}`)).body;
    /** Adyen tells nobody: whether somebody can be paid is found by asking. */
    const asked = async (): Promise<Json> => {
      await operator('POST', '/jobs/payability/run');
      return now();
    };
    const filledIn = async (outcome: string, reason = ''): Promise<void> => {
      const wanted = { returnUrl: 'https://app.example/done' };
      const { body } = await shop.post(`/payees/${ada.id}/onboarding-link`, wanted);
      expect(body).toMatchObject({ provider: RAIL });
      const page = (await browse(body.url, 'POST')).headers.get('location') ?? '';
      expect(await (await fetch(page)).text()).toContain('Bank account');
      const form = { first: 'Ada', last: 'Lovelace', iban: 'DE89370400440532013000', outcome, reason };
      await fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
    };

    it('is rejected with a reason, looked at again, verified in the end, and paid then', async () => {
      shop = await newClient({ testMode: false, statusVersion: 2, webhookUrl: 'https://app.example/hook' });
      ada = await shop.payee({ country: 'DE' });
      const rows = await owe(shop, ada.id, [2_500], { currency: 'EUR' });
      await filledIn('reject', 'The photograph is blurred.');
      await eventually(asked, ({ kycStatus }) => kycStatus === 'rejected');
      expect(await now()).toMatchObject({ payable: false, kycReason: 'The photograph is blurred.' });
      await filledIn('pending');
      await eventually(asked, ({ kycStatus }) => kycStatus === 'pending');
      const { holders } = await run.sandbox.books(RAIL);
      const waiting = (holders as Json[]).filter(({ standing: how }) => how === 'pending');
      await run.does('verify', { account: waiting[0]?.id });
      await eventually(asked, ({ payable }) => payable === true);
      await eventually(
        () => standing(shop, rows),
        (all) => all.every((status) => status === 'paid'),
      );
    });
  });

  it('confirms no account that is foreign or missing', async () => {
    const payee = await run.client.payee({ country: 'DE' });
    const { status, body } = await run.adopt(payee.id, 'AH_OF_ANOTHER_PLATFORM');
    expect([status, body.error]).toEqual([422, 'account_unverifiable']);
  });

  it.each([true, false])('is returned when it comes back after it was paid (its notice arrives: %p)', async (heard) => {
    const ada = await verified();
    const { id } = await run.pay(ada, CENTS);
    await run.reads(id, 'paid');
    const { id: transfer } = await bankOf(ada);
    await run.does('notices', { url: heard ? noticesUrl() : null });
    await run.does('return', { transfer, reason: 'counterpartyAccountClosed' });
    if (!heard) await operator('POST', '/jobs/reconcile/run');
    expect(await run.reads(id, 'returned')).toMatchObject({ amountCents: CENTS });
    expect((await booksOf(ada)).backs).toMatchObject([{ units: CENTS, status: 'booked' }]);
    await run.does('notices', { url: noticesUrl() });
  });

  it('is held for lack of funds, and leaves when there are some', async () => {
    const ada = await verified();
    await run.does('fund', { currency: 'EUR', units: 0 });
    const { id } = await run.pay(ada, CENTS);
    expect(reasonOf(await run.reads(id, 'held'))).toBe('insufficient_funds');
    await run.does('fund', { currency: 'EUR', units: 10_000_000 });
    await operator('POST', `/payouts/${id}/release`);
    await run.reads(id, 'paid');
    await expectPaidOnce(ada);
  });

  /** Each of these for somebody of their own, all of them at once: a fault names its account. */
  it('pays once, and never calls it failed, whatever either call meets, though no notice is told', async () => {
    await run.does('notices', { url: null });
    const people: Json[] = [];
    for (const call of CALLS)
      for (const effect of CALL_EFFECTS)
        people.push({ ...(await verified()), call, effect, what: `${call} met ${effect}` });
    for (const person of people)
      await run.sandbox.fault(RAIL, { effect: person.effect, match: await matchOf(person, person.call), seconds: 1 });
    const ids = await Promise.all(people.map(async (person) => (await run.pay(person, CENTS)).id as string));
    const paid = await Promise.all(ids.map((id) => run.readsPaid(id)));
    for (const person of people) await expectPaidOnce(person);
    for (const [index, person] of people.entries()) await noted(person, paid[index]);
    expect(await run.sandbox.faults(RAIL)).toEqual([]);
    await run.does('notices', { url: noticesUrl() });
  });

  it('brings the money back once after it came back, whatever that call meets, and though the process is killed', async () => {
    const bounced: { id: string; fault: string; ada: Json; transfer: string }[] = [];
    for (const fault of [...CALL_EFFECTS, 'kill -9']) {
      const ada = await verified();
      const { id } = await run.pay(ada, CENTS);
      await run.readsPaid(id);
      bounced.push({ id, fault, ada, transfer: (await bankOf(ada)).id });
      const contains = `"balanceAccountId":"${await balanceAccountOf(ada)}","category":"internal"`;
      const effect = fault === 'kill -9' ? 'silence_after' : fault;
      await run.sandbox.fault(RAIL, { effect, match: { ...TRANSFERS, contains }, seconds: 1 });
    }
    for (const { transfer } of bounced) await run.does('return', { transfer, reason: 'counterpartyAccountClosed' });
    await run.faultsStruck();
    await run.dies();
    for (const { id, fault, ada } of bounced) {
      const payout = await run.reads(id, 'returned');
      const { backs } = await booksOf(ada);
      expect(backs).toMatchObject([{ units: CENTS, status: 'booked' }]);
      seen.note('back', fault, { payout, movements: backs.length, isBack: true });
    }
  });

  it('tells the same end whatever becomes of its notices', async () => {
    const people: Json[] = [];
    for (const effect of NOTICE_EFFECTS) people.push({ ...(await verified()), effect });
    for (const person of people)
      await run.sandbox.fault(RAIL, {
        effect: person.effect,
        match: { contains: await balanceAccountOf(person) },
        seconds: 1,
      });
    const ids = await Promise.all(people.map(async (person) => (await run.pay(person, CENTS)).id as string));
    await Promise.all(ids.map((id) => run.readsPaid(id)));
    for (const person of people) await expectPaidOnce(person);
    await run.faultsStruck();
  });

  it('pays once when the process is killed between the calls, meets keys that do not count, and has lost its own records', async () => {
    const people = [await verified(), await verified()] as const;
    for (const [index, call] of CALLS.entries())
      await run.sandbox.fault(RAIL, { effect: 'silence_after', match: await matchOf(people[index], call) });
    const ids = [(await run.pay(people[0], CENTS)).id, (await run.pay(people[1], CENTS)).id];
    await run.faultsStruck();
    const { CUSTODIAL_B_API_KEY: key = '' } = await run.sandbox.settings();
    await run.dies({ CUSTODIAL_B_API_KEY: 'of-somebody-else' });
    const grace = await run.client.payee({ country: 'DE' });
    const late = await run.pay(people[0], CENTS + 1);
    expect(await run.laneClosed()).toMatchObject({ reason: 'credentials' });
    expect((await run.adopt(grace.id, people[0].account)).status).not.toBe(200);
    await query(run.service.databaseUrl, 'DELETE FROM rail_records WHERE rail = $1', [RAIL]);
    await run.dies({ CUSTODIAL_B_API_KEY: key });
    for (const id of [...ids, late.id]) {
      await run.goesOn(id);
      await run.readsPaid(id);
    }
    await expectPaidOnce(people[1]);
    for (const [index, call] of CALLS.entries())
      await noted({ ...people[index], call, effect: 'kill -9' }, await run.readsPaid(ids[index]));
    const { funds, banks } = await booksOf(people[0]);
    expect([funds, banks].map((all) => all.map(({ units }) => units).sort())).toEqual([
      [CENTS, CENTS + 1],
      [CENTS, CENTS + 1],
    ]);
  });

  it('has told no secret, no account, no name and no link to its log', async () => {
    const { output } = run.service.gateway;
    const { CUSTODIAL_B_HMAC_KEY: hmac = '' } = await run.sandbox.settings();
    expect(output).not.toContain(hmac);
    expect(PRIVATE.exec(output)).toBeNull();
  });

  it('breaks no rule of money', async () => {
    expect(await run.brokenRules()).toEqual([]);
  });

  it('lists all of that as it stands in our books: none of it is a difference', async () => {
    await operator('POST', '/jobs/reconcile/run');
    const { body } = await operator('POST', '/jobs/reconcile/run');
    expect(body.did.compared).toBeGreaterThan(CALLS.length * CALL_EFFECTS.length);
    expect((await operator('GET', `/drift?rail=${RAIL}`)).body.data).toEqual([]);
  });

  it("has moved in Adyen's books what is paid in ours, to the cent, and what is not paid lies with the platform", async () => {
    const { transfers, accounts, platformAccount } = await run.sandbox.books(RAIL);
    const landed = (transfers as Json[]).filter(({ category, status }) => category === 'bank' && status === 'booked');
    expect(landed.reduce((sum, { units }) => sum + Number(units), 0)).toBe(await run.paidCents());
    const theirs = (accounts as Json[]).filter(({ id }) => id !== platformAccount);
    expect(theirs.filter(({ balances }) => balances.EUR)).toEqual([]);
  });

  it('has met what docs/faults.md says', () => seen.expectPrinted());
});

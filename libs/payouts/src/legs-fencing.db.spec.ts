/** Workers that sleep between the calls of a payout, and answers that come late: each call is made once, and an old word undoes nothing. */
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { accepted, asleep, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('who has a say about a payout in legs', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
    payee = await world.payee(client);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const calls = ({ id }: Payout) => world.rail.callsOf(id);
  const now = ({ id }: Payout) => world.payout(id);
  /** Its first call was accepted, and the next one is to be made. */
  const begun = async (): Promise<Payout> => {
    world.rail.says({ first: thenDo('payout') });
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    world.rail.answers = null;
    return world.payout(id);
  };

  test('a first worker that wakes with what it heard asks for nothing that was done since', async () => {
    const payout = await world.pay(client, payee);
    const first = world.drive(payout.id);
    const call = await world.rail.call(1);
    world.rail.says({ first: thenDo('payout'), payout: accepted() });
    await world.drive(payout.id);
    await world.drive(payout.id);
    expect(calls(payout)).toEqual(['first', 'first', 'payout']);
    call.answer(thenDo('payout'));
    await first;
    expect(await now(payout)).toMatchObject({ legs: [{ toSend: false, said: 'accepted', sends: 1 }] });
    await world.drive(payout.id);
    expect(calls(payout)).toEqual(['first', 'first', 'payout']);
  });

  test.each([
    ['is to be made', 1],
    ['was made', 2],
  ])('a refusal of the first call that is heard when the second %s ends nothing', async (_, times) => {
    const payout = await world.pay(client, payee);
    const first = world.drive(payout.id);
    const call = await world.rail.call(1);
    world.rail.says({ first: thenDo('payout'), payout: accepted() });
    for (let n = 0; n < times; n += 1) await world.drive(payout.id);
    call.answer(refused());
    await first;
    expect(await now(payout)).toMatchObject({ status: 'submitted', acceptedAttempt: 2, legs: [{ name: 'payout' }] });
  });

  test('a refusal of a call does not end what another send of it had accepted', async () => {
    const payout = await begun();
    const first = world.drive(payout.id);
    const asleep = await world.rail.call(2);
    world.rail.knows.set(payout.railKey, thenDo('payout'));
    await world.drive(payout.id);
    const second = world.drive(payout.id);
    (await world.rail.call(3)).answer(accepted());
    await second;
    asleep.answer(refused());
    await first;
    expect(await now(payout)).toMatchObject({ status: 'submitted', openAttempts: [] });
    expect(new Set(world.rail.calls.slice(1).map(({ leg }) => leg?.key)).size).toBe(1);
  });

  test('a refusal ends nothing while another send of the call may be under way, and ends it after both were refused', async () => {
    const payout = await begun();
    const first = world.drive(payout.id);
    const asleep = await world.rail.call(2);
    world.rail.knows.set(payout.railKey, thenDo('payout'));
    await world.drive(payout.id);
    const second = world.drive(payout.id);
    (await world.rail.call(3)).answer(refused());
    await second;
    expect((await now(payout)).status).toBe('submitted');
    asleep.answer(refused());
    await first;
    expect(await now(payout)).toMatchObject({ status: 'failed', openAttempts: [], legs: [{ over: true }] });
  });

  test('whoever lost the lease makes no call', async () => {
    const payout = await begun();
    const lost = await world.takeJob(payout.id);
    await world.takeJob(payout.id);
    await world.drive(payout.id, lost);
    expect(calls(payout)).toEqual(['first']);
    expect(await now(payout)).toMatchObject({ attempt: 1, legs: [{ toSend: true, sends: 0 }] });
  });

  test('a worker that wakes between its number and its call does not call, and the next one does', async () => {
    const payout = await begun();
    const asked = world.get(AskRail);
    const orderOf = asked.orderOf.bind(asked);
    jest.spyOn(asked, 'orderOf').mockImplementationOnce(async (taken) => {
      await asleep(world.db, taken);
      return orderOf(taken);
    });
    await world.drive(payout.id);
    expect(calls(payout)).toEqual(['first']);
    expect(await now(payout)).toMatchObject({ attempt: 2, openAttempts: [], legs: [{ toSend: true }] });
    world.rail.says({ payout: settled() });
    await world.drive(payout.id);
    expect(await now(payout)).toMatchObject({ status: 'paid', attempt: 3 });
  });

  test('what was asked before a call was made, and is heard after it, asks for nothing', async () => {
    const payout = await begun();
    let open: () => void = () => undefined;
    world.rail.knows.set(payout.railKey, thenDo('payout'));
    world.rail.lookupGate = new Promise((resolve) => (open = resolve));
    const late = world.get(AskRail).lookUp(await now(payout));
    world.rail.says({ payout: accepted() });
    await world.drive(payout.id);
    open();
    await late;
    expect(await now(payout)).toMatchObject({ legs: [{ toSend: false, said: 'accepted' }] });
    // Asked once more, and with the same word, the rail lacks it: under the same key it moves once.
    await world.get(AskRail).lookUp(await now(payout));
    expect(await now(payout)).toMatchObject({ legs: [{ toSend: true }] });
  });

  test('a call that another has followed is not asked for any more', async () => {
    const payout = await begun();
    world.rail.says({ payout: thenDo('pull_back'), pull_back: NO_ANSWER });
    await world.drive(payout.id);
    await world.drive(payout.id);
    world.rail.knows.set(payout.railKey, thenDo('payout'));
    await world.drive(payout.id);
    await world.drive(payout.id);
    expect(calls(payout)).toEqual(['first', 'payout', 'pull_back']);
  });

  test('money that moved counts whichever call tells of it, and ends the others', async () => {
    const payout = await world.pay(client, payee);
    const first = world.drive(payout.id);
    const call = await world.rail.call(1);
    world.rail.says({ first: thenDo('payout'), payout: accepted() });
    await world.drive(payout.id);
    call.answer(settled());
    await first;
    expect(await now(payout)).toMatchObject({ status: 'paid', legs: [{ toSend: false, over: true }] });
    await world.drive(payout.id);
    expect(calls(payout)).toEqual(['first', 'first']);
  });

  test('a call under another reference is another payment: operators are told, and nothing more is sent', async () => {
    const payout = await begun();
    world.rail.says({ payout: { kind: 'accepted', providerRef: 'other', next: { leg: 'more' } } });
    await world.drive(payout.id);
    await world.drive(payout.id);
    expect(calls(payout)).toEqual(['first', 'payout']);
    const drift = await world.get(DriftReads).list({}, null, 100);
    expect(drift.filter(({ payoutId }) => payoutId === payout.id)).toMatchObject([{ kind: 'amount_differs' }]);
  });
});

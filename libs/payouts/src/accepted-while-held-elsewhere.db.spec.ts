/**
 * A process takes a send on, and sleeps in the middle of its call. An admin binds the rail to another account, and the payout is held. Then the process
 * wakes, with what the account of before answered: it took the payout on. That is never dropped in silence (point 1): the payout goes on from where it
 * was sent, or at least the reference is on record.
 */
import { AskRail } from './use-cases/ask-rail';
import { accepted, boundTo, type MoneyWorld, startMoneyWorld, waits } from '../testing/src';

describe('an acceptance that is heard once another account is bound', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR', 'accepted'],
    ['claim_rail', 'DE', 'accepted'],
    ['claim_rail', 'DE', 'awaiting_payee'],
  ])('is not dropped in silence (%s, %s, %s)', async (rail, country, what) => {
    world.rail.reset();
    await boundTo(world, rail, `one ${what}`);
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    const sleeps = world.drive(id);
    world.later(sleeps);
    const call = await world.rail.callFor(id);
    await boundTo(world, rail, `two ${what}`);
    await world.age(id, 60);
    await world.drive(id);
    expect(await world.status(id)).toBe('held');
    call.answer(what === 'accepted' ? accepted('of one') : waits());
    await sleeps;
    const { status, providerRef, acceptedAttempt } = await world.payout(id);
    const [drift] = await world.db.rows('SELECT kind FROM drift WHERE payout_id = $1', [id]);
    expect({ status, providerRef, acceptedAttempt, drift: drift ?? null }).not.toEqual({
      ...{ status: 'held', providerRef: null, acceptedAttempt: null, drift: null },
    });
  });

  test.each([
    ['custodial_a', 'FR'],
    ['claim_rail', 'DE'],
  ])('nor is one that the account of before was asked for, and told of a moment later (%s)', async (rail, country) => {
    world.rail.reset();
    await boundTo(world, rail, 'one, asked');
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    await world.age(id, 60);
    const { railKey } = await world.payout(id);
    let tells = (): void => undefined;
    world.rail.knows.set(railKey, { kind: 'accepted', providerRef: 'of one' });
    world.rail.lookupGate = new Promise((resolve) => (tells = resolve));
    const asks = world.get(AskRail).lookUp(await world.payout(id));
    world.later(asks);
    await world.rail.lookingUp(railKey);
    world.rail.knows.clear();
    world.rail.lookupGate = Promise.resolve();
    await boundTo(world, rail, 'two, asked');
    await world.drive(id);
    expect(await world.status(id)).toBe('held');
    tells();
    await asks;
    const { status, providerRef } = await world.payout(id);
    const [drift] = await world.db.rows('SELECT kind FROM drift WHERE payout_id = $1', [id]);
    expect({ status, providerRef, drift: drift ?? null }).not.toEqual({
      status: 'held',
      providerRef: null,
      drift: null,
    });
  });
});

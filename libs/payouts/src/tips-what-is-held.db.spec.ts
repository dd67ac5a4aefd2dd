/**
 * Payouts of many clients are made in one transaction, which waits for nothing that somebody holds (ADR 45). One of them reaches a floor
 * together with a payout that somebody is changing: it waits beside the others, and they do not wait with it.
 */
import { holding } from '#libs/db/testing';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReleaseHeld } from './use-cases/release-held';

describe('a payout that tips a floor while somebody holds what waits there', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('keeps no other client waiting', async () => {
    const [one, other] = await Promise.all([world.client({ floors: { claim_rail: 10_000 } }), world.client()]);
    const [payee, theirs] = await Promise.all([world.payee(one), world.payee(other)]);
    const { id } = await world.pay(one, payee, 6_000);
    expect(await world.status(id)).toBe('held');
    await world.pay(other, theirs, 6_000);

    // As whoever cancels it, or fails it, and stands still before the commit, or writes its hundred thousand rows.
    const letGo = await holding(world.db, 'SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const tips = world.pay(one, payee, 6_000);
    const others = world.pay(other, theirs, 7_000);
    expect((await others).status).toBe('authorized');
    const { id: tipping, status } = await tips;
    await letGo();
    expect(status).toBe('held'); // what somebody holds is left to the sweep, and so is this one
    await world.get(ReleaseHeld).accrued();
    expect(await Promise.all([id, tipping].map((one) => world.status(one)))).toEqual(['authorized', 'authorized']);
  });
});

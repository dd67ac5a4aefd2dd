/**
 * Payouts of many clients are made in one transaction, which waits for nothing that somebody holds (ADR 45). One of them reaches a floor
 * together with a payout that somebody is changing: it waits beside the others, and they do not wait with it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('a payout that tips a floor while somebody holds what waits there', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  /** As who cancels it, or fails it, and stands still before the commit, or writes its hundred thousand rows. */
  async function holding(id: string): Promise<{ done: () => Promise<void> }> {
    let lets = (): void => undefined;
    const let_ = new Promise<void>((resolve) => (lets = resolve));
    let has = (): void => undefined;
    const held = new Promise<void>((resolve) => (has = resolve));
    const holds = world.db.inTransaction(async () => {
      await world.db.execute('SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [id]);
      has();
      await let_;
    });
    world.later(holds);
    await held;
    return {
      done: async () => {
        lets();
        await holds;
      },
    };
  }

  test('keeps no other client waiting', async () => {
    const [one, other] = await Promise.all([world.client({ floors: { claim_rail: 10_000 } }), world.client()]);
    const [payee, theirs] = await Promise.all([world.payee(one), world.payee(other)]);
    const { id } = await world.pay(one, payee, 6_000);
    expect(await world.status(id)).toBe('held');
    await world.pay(other, theirs, 6_000);

    const holder = await holding(id);
    const tips = world.pay(one, payee, 6_000);
    world.later(tips.catch(() => undefined));
    const others = world.pay(other, theirs, 7_000).then(({ status }) => status);
    const first = await Promise.race([others, pause(5_000, 'waits')]);
    await holder.done();
    expect((await tips).status).toBe('authorized');
    expect(first).toBe('authorized');
  });
});

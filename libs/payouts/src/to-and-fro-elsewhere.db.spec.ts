/**
 * swap_rail is bound to another treasury of the same entity at Circle, whose credentials show the payments of the treasury of before: they say still that a
 * payout waits for its payee. Its payee says where it is to go. Nothing of it is sent with another account, so it is held (ADR 68): once, until that
 * account is bound again, and not to and fro with each look, with lines and events without end.
 */
import type { LookupAnswer } from '#libs/rail-kit';
import { BeginLeg } from './use-cases/begin-leg';
import { boundTo, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';

describe('a payout that another account shows, and cannot send on', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('is held once', async () => {
    await boundTo(world, 'swap_rail', 'wallets/treasury');
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country: 'IT' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const { railKey } = await world.payout(id);
    world.rail.knows.set(railKey, waits() as LookupAnswer);
    await boundTo(world, 'swap_rail', 'wallets/next treasury');
    await world
      .get(BeginLeg)
      .run(await world.payout(id), '0xabc')
      .catch(() => undefined);
    for (let looks = 0; looks < 4; looks += 1) {
      if ((await world.status(id)) === 'submitted') await world.drive(id);
      if ((await world.status(id)) === 'held') await world.lookOnceMore(id);
    }
    const [{ times }] = (await world.db.rows<{ times: number }>(
      `SELECT count(*)::int AS times FROM payout_trail WHERE payout_id = $1 AND type = 'block'`,
      [id],
    )) as [{ times: number }];
    expect(times).toBeLessThanOrEqual(1);
  });

  /** Only what would have to be sent on stays held: money that arrived, or came back, is told by whoever shows it (point 1: never dropped in silence). */
  test.each([
    ['settled', 'paid'],
    ['bounced', 'returned'],
  ] as const)('is no longer held once that shows that it is %s', async (kind, status) => {
    world.rail.reset();
    await boundTo(world, 'swap_rail', `wallets/${kind} by one`);
    const client = await world.client({ coolDownSeconds: 0 });
    const payee = await world.payee(client, { country: 'IT' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const { railKey } = await world.payout(id);
    await boundTo(world, 'swap_rail', `wallets/${kind}, seen by two`);
    await world
      .get(BeginLeg)
      .run(await world.payout(id), '0xabc')
      .catch(() => undefined);
    if ((await world.status(id)) === 'submitted') await world.drive(id);
    expect(await world.status(id)).toBe('held');
    const fact = kind === 'settled' ? settled() : { kind, providerRef: 'ref', feeCents: 0 };
    world.rail.knows.set(railKey, fact as unknown as LookupAnswer);
    await world.lookOnceMore(id);
    expect(await world.status(id)).toBe(status);
  });
});

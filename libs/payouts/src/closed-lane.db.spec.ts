/** A rail that wants to be left alone, or does not know us: nothing is sent to it, nothing fails for it, and nothing is forgotten. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailLanes } from '#libs/rail-registry';
import { accepted, type MoneyWorld, refused, settled, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('a rail to which nothing is sent for now', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const pay = async (country: string): Promise<Payout> => {
    const payee = await world.payee(client, { country });
    if (country === 'FR') await world.adopt(client, payee);
    return world.pay(client, payee);
  };
  const sends = (payout: Payout): number => world.rail.calls.filter(({ order }) => order.payoutId === payout.id).length;
  const lastErrorOf = async ({ id }: Payout): Promise<string | null | undefined> =>
    (
      await world.db.row<{ lastError: string | null }>(
        `SELECT last_error FROM jobs WHERE name = 'payout.drive' AND entity_id = $1`,
        [id],
      )
    )?.lastError;
  const open = (rail: string) => world.get(RailLanes).open(rail, ['not_now', 'credentials', 'other_account']);

  test('that asks for a rest gets it: the payout is sent later, under the same code, and was never refused', async () => {
    world.rail.answers = () => ({ kind: 'not_now', afterSeconds: 1, detail: 'too many calls' });
    const first = await pay('DE');
    await world.drive(first.id);
    expect(await world.payout(first.id)).toMatchObject({ status: 'submitted', toSend: true, failureKind: null });
    const second = await pay('DE');
    await world.drive(second.id);
    expect(await world.status(second.id)).toBe('authorized');
    expect([sends(first), sends(second)]).toEqual([1, 0]);

    world.rail.answers = () => accepted();
    await world.db.execute(`UPDATE rail_lanes SET opens_at = now() WHERE rail = 'claim_rail'`);
    while ((await world.payout(first.id)).toSend) await world.drive(first.id);
    await world.drive(second.id);
    expect([sends(first), sends(second)]).toEqual([2, 1]);
    const keys = world.rail.calls.map(({ order }) => order.railKey);
    expect(new Set(keys)).toEqual(new Set([first.railKey, second.railKey]));
  });

  test('is tried again when it said, whoever heard it; if nobody knows when it opens, after a minute', async () => {
    const again = async (payout: Payout): Promise<number> => (await world.drive(payout.id))?.againInSeconds ?? NaN;
    world.rail.answers = () => ({ kind: 'not_now', afterSeconds: 40, detail: 'maintenance' });
    const [heard, kept, elsewhere] = [await pay('DE'), await pay('DE'), await pay('IT')];
    await world.get(RailLanes).pause('swap_rail', 40, 'another process heard it');
    for (const payout of [heard, kept, elsewhere]) {
      const seconds = await again(payout);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(40);
    }
    await world.get(RailLanes).close('swap_rail', 'credentials', 'nobody knows us there', null);
    expect(await again(elsewhere)).toBe(60);
    await world.work('payout.drive', elsewhere.id);
    expect(await lastErrorOf(elsewhere)).toBe('nothing is sent to swap_rail now: credentials: nobody knows us there');
    await Promise.all([open('claim_rail'), open('swap_rail')]);
  });

  test('is heard of by all processes, also by the requests that would send themselves, and keeps no other rail', async () => {
    await world.get(RailLanes).pause('at_once', 60, 'another process heard it');
    world.rail.answers = () => settled();
    const [waits, goes] = [await pay('ES'), await pay('FR')];
    expect(await world.status(waits.id)).toBe('authorized');
    await world.drive(waits.id);
    await world.drive(goes.id);
    expect([sends(waits), sends(goes)]).toEqual([0, 1]);
    await open('at_once');
    await world.drive(waits.id);
    expect(await world.status(waits.id)).toBe('paid');
  });

  test('is not tried again either, also where the request would call it', async () => {
    world.rail.answers = () => refused();
    const failed = await pay('ES');
    expect([await world.status(failed.id), sends(failed)]).toEqual(['failed', 1]);
    await world.get(RailLanes).pause('at_once', 60, 'another process heard it');
    world.rail.answers = () => settled();
    const retry = async () => world.get(RemedyPayout).retry(await world.payout(failed.id), 'client');
    await expect(retry()).rejects.toThrow('Nothing is sent to its rail for now');
    expect([await world.status(failed.id), sends(failed)]).toEqual(['failed', 1]);
    await open('at_once');
    expect((await retry()).status).toBe('paid');
  });

  test('that refuses our credentials holds that payout, and lets the others wait', async () => {
    world.rail.answers = () => refused('credentials');
    const met = await pay('IT');
    const waits = await pay('IT');
    await world.drive(met.id);
    expect(await world.payout(met.id)).toMatchObject({
      ...{ status: 'held', failureKind: 'transient' },
      statusReason: 'provider_not_configured: refused by the spec',
    });
    await world.drive(waits.id);
    expect([await world.status(waits.id), sends(waits)]).toEqual(['authorized', 0]);
    const [lane] = await world.get(RailLanes).closed();
    expect(lane).toMatchObject({ rail: 'swap_rail', reason: 'credentials', detail: 'refused by the spec' });

    await open('swap_rail');
    world.rail.answers = () => accepted();
    await world.drive(waits.id);
    expect(await world.status(waits.id)).toBe('submitted');
  });

  test('that refuses an account holds the payout, and the account is read soon', async () => {
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    world.rail.answers = () => refused('account');
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({
      ...{ status: 'held', failureKind: 'transient' },
      statusReason: 'not_payable: refused by the spec',
    });
    expect(
      await world.db.rows('SELECT FROM methods WHERE provider_account_id = $1 AND ask_at <= now()', [account]),
    ).toHaveLength(1);
  });
});

/**
 * A rail said its last word (no) about a payout of rows, and is bound to another account: its rows may leave with that one. A retry of the payout itself is
 * refused (ADR 68), as it would be without a last word: nothing is sent under its code any more, and the last word goes on to count for its rows.
 */
import type { Client } from '#libs/clients';
import { AskRail, RemedyPayout } from '#libs/payouts';
import { boundTo, type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a retry of what another account refused for good in its last word', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test.each([
    ['custodial_a', 'FR', false],
    ['custodial_a', 'FR', true],
    ['claim_rail', 'DE', true],
  ])('is refused, and its rows leave (%s, %s, retried: %s)', async (rail, country, isRetried) => {
    world.rail.reset();
    await boundTo(world, rail, `one ${isRetried}`);
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    const scene = await OwedScene.of(world, client, country);
    const row = await scene.push(6_000);
    const first = await scene.sentAndRefused();
    await world.age(first.id, 0.9 * 3_600);
    await world.get(AskRail).lookUp(await world.payout(first.id)); // its last word
    await boundTo(world, rail, 'two');
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    world.rail.knows.clear();
    world.rail.answers = () => settled('two');
    const outcome = isRetried
      ? await world
          .get(RemedyPayout)
          .retry(await world.payout(first.id), 'client')
          .then(({ status }) => status)
          .catch(({ code }: { code: string }) => code)
      : 'payout_not_retryable';
    if (outcome === 'submitted' || outcome === 'authorized') await world.drive(first.id);
    const now = await world.payout(first.id);
    const left = await scene
      .sent()
      .catch(({ code, message }: { code?: string; message: string }) => ({ code: code ?? message }));
    expect([outcome, now.status, left, await scene.statuses(row)]).toMatchObject([
      'payout_not_retryable',
      'failed',
      { status: 'paid' },
      ['paid'],
    ]);
  });
});

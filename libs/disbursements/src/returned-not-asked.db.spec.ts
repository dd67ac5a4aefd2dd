/**
 * Rows of what came back ask its rail before they leave. The request that makes their payout sends it itself over a claim rail (PayPal), so
 * whoever may not ask just now, or has no time left to, sends unasked: what came back may be out again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import { OwedScene, startOwedWorld } from '../testing/src';
import { PushDisbursements } from './use-cases/push-disbursements';
import { ReleaseOwed } from './use-cases/release-owed';

const CURRENCIES = 'EUR CHF CAD AUD NZD SEK NOK DKK PLN CZK HUF RON BGN MXN BRL ZAR'.split(' ');

describe('rows of money that came back, and is out again, over a rail that the request calls itself', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client(), 'DE');
  });

  /** It was paid, its bank sent it back, and its rail has it out again: nobody heard of that yet. */
  const outAgain = async (): Promise<Payout> => {
    world.rail.answers = () => settled('one');
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(await world.status(payout.id)).toBe('paid');
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    expect(await world.status(payout.id)).toBe('returned');
    world.rail.knows.set(payout.railKey, settled('one'));
    return world.payout(payout.id);
  };
  const sent = (): string[] => world.rail.calls.map(({ order }) => order.railKey);

  test('as the contract has it: they stay', async () => {
    await scene.push(6_000);
    await outAgain();
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(sent()).toHaveLength(1);
  });

  test('from a wallet, when pages have asked as often as they may this minute: they are not sent unasked', async () => {
    await scene.push(6_000);
    const payout = await outAgain();
    const fromWallet = world
      .get(ReleaseOwed)
      .withdraw(scene.client, scene.payee.id, 'portal', 'payee', { mayAsk: () => false });
    await fromWallet.catch(() => undefined);
    // Either they wait, or a job asks before it sends.
    expect(sent()).toEqual([payout.railKey]);
  });

  test('when other questions took the time that there is: they are not sent unasked', async () => {
    await scene.push(6_000);
    world.rail.answers = () => settled('one');
    const [payout] = (await scene.withdraw()) as [Payout];
    // They are owed in sixteen more currencies, and what was sent of that was refused.
    const others = CURRENCIES.map((currency) => ({
      ...{ payeeId: scene.payee.id, amountCents: 5_000, currency, externalRef: randomUUID() },
    }));
    await world.get(PushDisbursements).run(scene.client, others, false);
    world.rail.answers = () => refused('permanent');
    expect(await scene.withdraw()).toHaveLength(16);
    for (const railKey of sent().slice(1))
      world.rail.knows.set(railKey, { kind: 'refused', failure: 'permanent', reason: 'refused' });
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    world.rail.knows.set(payout.railKey, settled('one'));
    world.rail.asked.length = 0;
    // Their rail takes its time today.
    Object.defineProperty(world.rail, 'lookupGate', { get: () => sleep(2_700), set: () => undefined });
    world.rail.answers = () => settled('another');
    const left = await scene.withdraw();
    expect(world.rail.asked.some(({ railKey }) => railKey === payout.railKey)).toBe(false);
    // A job may ask before it sends; but the request sent it.
    expect(left.filter(({ currency, status }) => currency === 'USD' && status === 'paid')).toEqual([]);
  });
});

/**
 * Three clients whose rows are held for long: test clients that let time pass, or prepaid ones whose wallets withdrawals of very many rows
 * hold. What rails say of their withdrawals waits. It keeps the news of no other client's withdrawal waiting (ADR 45).
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import type { Payout } from '#libs/payout-rules';
import { AskRail } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { WalletBook } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('news of the withdrawals of three clients', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startOwedWorld();
    world.rail.answers = () => accepted();
  });
  afterAll(() => world.stop());

  const withFunds = async (prepaid: boolean): Promise<Client> => {
    const client = await world.client({ prepaid });
    const entry = { clientId: client.id, type: 'deposit', currency: 'USD', amountCents: 100_000 } as const;
    if (prepaid) await world.get(WalletBook).post({ ...entry, reference: randomUUID(), note: null });
    return client;
  };
  const underWay = async (prepaid: boolean): Promise<Payout> => {
    const scene = await OwedScene.of(world, await withFunds(prepaid));
    await scene.push(6_000);
    const [payout] = await scene.withdraw();
    if (!payout) throw new Error('Nothing was withdrawn.');
    await world.drive(payout.id);
    world.rail.knows.set(payout.railKey, prepaid ? refused() : settled());
    return world.payout(payout.id);
  };
  const lookUp = (payout: Payout): Promise<unknown> => world.get(AskRail).lookUp(payout);

  test.each([
    ['payouts', false],
    ['wallets', true],
  ])('whose %s are held keep no other client’s waiting', async (table, prepaid) => {
    const held = [await underWay(prepaid), await underWay(prepaid), await underWay(prepaid)];
    const other = await underWay(false);
    const ids = held.map(({ clientId }) => clientId);
    const letGo = await holding(world.db, `SELECT FROM ${table} WHERE client_id = ANY($1) FOR NO KEY UPDATE`, [ids]);
    const ended: string[] = [];
    const waiting = held.map((payout) => lookUp(payout).then(() => ended.push(payout.id)));
    world.later(Promise.allSettled(waiting));
    await waitedFor(world.db, table, 'client_id = ANY($1)', [ids]);
    await lookUp(other);
    expect(await world.status(other.id)).toBe('paid');
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
  });
});

/** A database restored from an old backup knows nothing of a payee who was made since. Nobody is paid twice for that. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { type Payout, RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a database that was restored from before a payee was made', () => {
  let worlds: MoneyWorld[];
  beforeAll(async () => {
    worlds = [await startOwedWorld(), await startOwedWorld()];
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  const clientId = randomUUID();
  const clients = new Map<MoneyWorld, Client>();
  const clientOf = async (world: MoneyWorld): Promise<Client> => {
    const client = clients.get(world) ?? (await world.client());
    if (!clients.has(world)) await world.db.execute('UPDATE clients SET id = $2 WHERE id = $1', [client.id, clientId]);
    clients.set(world, { ...client, id: clientId });
    return { ...client, id: clientId };
  };

  test('the rows of the payee, pushed again, have the same code', async () => {
    const codes: string[] = [];
    for (const world of worlds) {
      const client = await clientOf(world);
      const scene = await OwedScene.of(world, client, 'FR', { externalId: 'ada' });
      await scene.push(6_000, 'row-1');
      const [payout] = await scene.withdraw();
      codes.push(payout?.railKey ?? '');
    }
    expect(codes[1]).toBe(codes[0]);
  });

  test('rows that were on a payout which was never sent have the same code', async () => {
    const codes: string[] = [];
    for (const [place, world] of worlds.entries()) {
      const client = await clientOf(world);
      const scene = await OwedScene.of(world, client, 'FR', { externalId: 'bob' });
      await scene.push(6_000, 'row-2');
      if (place === 0) {
        await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
        const [held] = (await scene.withdraw()) as [Payout];
        await world.get(RemedyPayout).giveUp(held, null);
        await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
      }
      const [payout] = await scene.withdraw();
      codes.push(payout?.railKey ?? '');
    }
    expect(codes[1]).toBe(codes[0]);
  });

  test('what came back and was paid again has the same code', async () => {
    const codes: string[] = [];
    for (const world of worlds) {
      const client = await clientOf(world);
      const scene = await OwedScene.of(world, client, 'FR', { externalId: 'eve' });
      await scene.push(6_000, 'row-3');
      const [payout] = (await scene.withdraw()) as [Payout];
      world.rail.answers = () => settled('one');
      await world.drive(payout.id);
      await scene.tells(payout, { kind: 'bounced', feeCents: 100 });
      const [again] = await scene.withdraw();
      codes.push(again?.railKey ?? '');
    }
    expect(codes[1]).toBe(codes[0]);
  });
});

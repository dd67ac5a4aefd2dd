/** A database restored from an old backup knows nothing of payees that a batch made since, nor of what it paid. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { railKeyOf } from './idempotency';
import { DriftReads } from './db/drift.reads';
import { CreateBatch } from './use-cases/create-batch';
import type { CreatedPayout } from './use-cases/create-payouts';
import { ResolveDrift } from './use-cases/resolve-drift';

describe('a database that was restored from an old backup', () => {
  let worlds: MoneyWorld[];
  beforeAll(async () => {
    worlds = [await startMoneyWorld(), await startMoneyWorld()];
  });
  afterAll(() => Promise.all(worlds.map((world) => world.stop())));

  test('gives a batch that names an address, sent again, the same code', async () => {
    const clientId = randomUUID();
    const codes: string[] = [];
    for (const world of worlds) {
      const client = await world.client();
      await world.db.execute('UPDATE clients SET id = $2 WHERE id = $1', [client.id, clientId]);
      const row = { email: 'bob@example.com', amountCents: 6_000, currency: 'USD' };
      const [made] = await world.get(CreateBatch).run({ ...client, id: clientId }, 'payroll', [row]);
      codes.push((made as CreatedPayout).payout.railKey);
    }
    expect(codes[1]).toBe(codes[0]);
  });

  test('does not send what moved already, past the memory of its rail, once an operator looked into it', async () => {
    const world = worlds[0] as MoneyWorld;
    const client: Client = await world.client();
    const payee = await world.payee(client);
    const before = await world.pay(client, payee);
    world.rail.answers = () => settled('before');
    await world.drive(before.id);
    const railKey = railKeyOf('spec', client.id, 'salary');
    world.rail.moved = [
      { railKey, providerRef: 'one', amountCents: 1_000, currency: 'USD', movedAt: systemClock.now() },
    ];
    await world.compare();
    const [drift] = (await world.get(DriftReads).list({ open: true }, null, 10)).filter(
      (one) => one.railKey === railKey && one.rail === 'claim_rail',
    );
    expect(drift).toMatchObject({ kind: 'unknown_here' });
    const look = { by: 'ada', note: 'made before the restore' };
    await world.get(ResolveDrift).run(drift?.id ?? '', look);
    await world.get(ResolveDrift).decidedAbout(drift?.id ?? '');
    const again = await world.pay(client, payee, 1_000, 'salary');
    expect(again.railKey).toBe(railKey);
    world.rail.answers = () => settled('two');
    await world.drive(again.id);
    expect(world.rail.calls.some(({ order }) => order.railKey === railKey)).toBe(false);
  });
});

/**
 * A restored database asks again for money that moved over another rail than its payee is paid over now: the account was adopted
 * after the backup, or an operator has turned to another rail. Its code is listed there, and nobody here knows of it.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { type Payout, railKeyOf } from '#libs/payout-rules';
import { CancelPayout, GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { ScanMovements } from '../../reconciliation/src/use-cases/scan-movements';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that is given up or taken back, while another rail lists money under its code', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
  });

  /** custodial_a alone lists it; all other rails are compared with just before, and list nothing. */
  const custodialALists = async (railKey: string, amountCents = 6_000): Promise<void> => {
    const scan = world.get(ScanMovements);
    world.rail.moved = [];
    for (const rail of scan.all()) await scan.ofRail(rail);
    const movedAt = systemClock.now();
    world.rail.moved = [{ railKey, providerRef: 'before', amountCents, currency: 'USD', movedAt }];
    await scan.ofRail('custodial_a');
    world.rail.moved = [];
    const drift = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(drift.filter((line) => line.railKey === railKey)).toMatchObject([
      { rail: 'custodial_a', kind: 'unknown_here', payoutId: null },
    ]);
  };
  const codeOfKey = (key: string): string => railKeyOf('spec', client.id, key);
  /** What the code of these rows would be, found by a payout of them that is forgotten again. */
  const codeOfRows = async (scene: OwedScene, ...rows: string[]): Promise<string> => {
    const [{ id, railKey }] = (await scene.withdraw()) as [Payout];
    await world.get(GiveUpPayout).run(await world.payout(id), 'known to another database only');
    await world.db.execute(`UPDATE disbursements SET transaction_id = NULL, earlier = '{}' WHERE id = ANY($1)`, [rows]);
    await world.db.execute(`UPDATE payouts SET rail_key = 'other-' || id WHERE id = $1`, [id]);
    return railKey;
  };
  test('keeps its rows once it is given up, also if they would leave with one more', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    const row = await scene.push(6_000);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const code = await codeOfRows(scene, row);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    await custodialALists(code);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    expect(await world.status(id)).toBe('held');
    await world.get(GiveUpPayout).run(await world.payout(id), 'looked at');
    await scene.push(1_000);
    const again = await scene.withdraw().catch(() => []);
    for (const each of again) if (each.status === 'authorized') await world.drive(each.id);
    const sent = world.rail.calls.map(({ order }) => order.amountCents);
    expect(sent.filter((cents) => cents > 1_000)).toEqual([]);
  });

  test('keeps its caller from taking it back as if nothing of it had left', async () => {
    const key = randomUUID();
    await custodialALists(codeOfKey(key));
    const payee = await world.payee(client, { country: 'DE' });
    const held = await world.pay(client, payee, 6_000, key);
    const cancelled = await world
      .get(CancelPayout)
      .run(held)
      .then(({ status }) => status)
      .catch(({ code }: { code: string }) => code);
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    const named = open.filter(({ payoutId }) => payoutId === held.id);
    expect(cancelled === 'payout_not_cancellable' || named.length > 0).toBe(true);
  });
});

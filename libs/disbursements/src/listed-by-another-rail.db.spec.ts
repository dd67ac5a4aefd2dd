/**
 * A restored database asks again for money that moved over another rail than its payee is paid over now: the account was adopted
 * after the backup, or an operator has turned to another rail. Its code is listed there, and nobody here knows of it.
 */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import { HELD_IN_DISPUTE, type Payout, railKeyOf } from '#libs/payout-rules';
import { GiveUpPayout, RemedyPayout, SelfReleaseJobs } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { ScanMovements } from '../../reconciliation/src/use-cases/scan-movements';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that another rail lists under the code of a payout that was never sent', () => {
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
  /** It waits for a person, and its rail was not called. */
  const isNotPaidAgain = async (id: string): Promise<void> => {
    const payout = await world.payout(id);
    expect([payout.status, world.rail.calls.length]).toEqual(['held', 0]);
  };
  /** The schedules of half a minute, and a worker. */
  const goesOn = async (id: string): Promise<void> => {
    await world.get(SelfReleaseJobs).sweep();
    await world.get(SelfReleaseJobs).release();
    if ((await world.status(id)) !== 'held') await world.drive(id);
  };

  test('holds a payout that its caller asks for again, also once the schedules looked at it', async () => {
    const key = randomUUID();
    await custodialALists(codeOfKey(key));
    const payee = await world.payee(client, { country: 'DE' });
    const { id } = await world.pay(client, payee, 6_000, key);
    expect(await world.payout(id)).toMatchObject({
      status: 'held',
      statusReason: HELD_IN_DISPUTE,
      provider: 'claim_rail',
    });
    await goesOn(id);
    await isNotPaidAgain(id);
  });

  test('holds a withdrawal of the same rows, also once the schedules looked at it', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    const row = await scene.push(6_000);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const code = await codeOfRows(scene, row);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    await custodialALists(code);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(id)).toMatchObject({ railKey: code, status: 'held', statusReason: HELD_IN_DISPUTE });
    await goesOn(id);
    await isNotPaidAgain(id);
  });

  test('holds what was held for another cause, and is released', async () => {
    const key = randomUUID();
    const payee = await world.payee(client, { country: null });
    const { id } = await world.pay(client, payee, 6_000, key);
    expect(await world.payout(id)).toMatchObject({ status: 'held', provider: null });
    await custodialALists(codeOfKey(key));
    await world.payee(client, { externalId: payee.externalId, country: 'DE' });
    const released = await world.get(RemedyPayout).release(await world.payout(id), 'operator');
    if (released.status === 'authorized') await world.drive(id);
    await isNotPaidAgain(id);
  });

  test('holds what waited for its rail when it was listed', async () => {
    const key = randomUUID();
    const payee = await world.payee(client, { country: 'DE' });
    const { id } = await world.pay(client, payee, 6_000, key);
    expect(await world.status(id)).toBe('authorized');
    await custodialALists(codeOfKey(key));
    await world.drive(id);
    await isNotPaidAgain(id);
  });

  test('holds what had no rail yet, also where its request would send it', async () => {
    const key = randomUUID();
    const payee = await world.payee(client, { country: null });
    const { id } = await world.pay(client, payee, 6_000, key);
    const scan = world.get(ScanMovements);
    const movedAt = systemClock.now();
    world.rail.moved = [
      { railKey: codeOfKey(key), providerRef: 'before', amountCents: 6_000, currency: 'USD', movedAt },
    ];
    await scan.ofRail('at_once');
    world.rail.moved = [];
    await world.payee(client, { externalId: payee.externalId, country: 'ES' });
    await world.get(RemedyPayout).release(await world.payout(id), 'operator');
    await isNotPaidAgain(id);
  });
});

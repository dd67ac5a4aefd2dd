/**
 * A restored database holds a payout because another rail lists money under its code. To give it up, or to take it back, decides
 * nothing about that money: it is named, and its rows wait until somebody says what became of it.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { type Payout, railKeyOf } from '#libs/payout-rules';
import { CancelPayout, GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { codeOfRows, isListedBy, OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that ended while another rail lists money under its code', () => {
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

  /** Rows of 6,000 that are listed by custodial_a, and whose payee is paid behind a link by now. */
  const owedAgain = async (): Promise<{ scene: OwedScene; row: string; code: string }> => {
    const scene = await OwedScene.of(world, client, 'DE');
    const row = await scene.push(6_000);
    return { scene, row, code: await codeOfRows(world, scene, row) };
  };
  const givenUp = async (scene: OwedScene): Promise<Payout> => {
    const [{ id }] = (await scene.withdraw()) as [Payout];
    expect(await world.status(id)).toBe('held');
    return world.get(GiveUpPayout).run(await world.payout(id), 'looked at');
  };
  /** What a withdrawal sends. */
  const sent = async (scene: OwedScene): Promise<number[]> => {
    const made = await scene.withdraw().catch(() => []);
    for (const { id, status } of made) if (status === 'authorized') await world.drive(id);
    return world.rail.calls.map(({ order }) => order.amountCents);
  };

  test('keeps its rows once it is given up, and lets others leave', async () => {
    const { scene, code } = await owedAgain();
    await isListedBy(world, 'custodial_a', code);
    const ended = await givenUp(scene);
    expect(await scene.openDrift(ended)).toMatchObject([
      { rail: 'custodial_a', kind: 'not_paid_here', railCents: 6_000 },
    ]);
    await scene.push(1_000);
    expect(await sent(scene)).toEqual([1_000]);
  });

  test('is named by what is out there, not by what came back', async () => {
    const { scene, code } = await owedAgain();
    await isListedBy(world, 'custodial_a', code);
    world.rail.moved = (['back', 'out'] as const).map((direction) => ({
      ...{ rail: 'custodial_a', railKey: code, providerRef: direction === 'back' ? 'before' : 'of later', direction },
      ...{ amountCents: 6_000, currency: 'USD', movedAt: systemClock.now() },
    }));
    await compare(world);
    expect(await scene.openDrift(await givenUp(scene))).toMatchObject([{ providerRef: 'of later', railCents: 6_000 }]);
  });

  test('has its rows called paid by an operator, and is nothing in the way of others then', async () => {
    const { scene, row, code } = await owedAgain();
    await isListedBy(world, 'custodial_a', code);
    expect(await scene.resolve(await givenUp(scene), 'paid')).toBe(1);
    expect(await scene.statuses(row)).toEqual(['paid']);
    await scene.push(1_000);
    expect(await sent(scene)).toEqual([1_000]);
  });

  test('keeps its rows from leaving with one more also if that is listed only afterwards', async () => {
    const { scene, code } = await owedAgain();
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    await givenUp(scene);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    await isListedBy(world, 'custodial_a', code);
    await scene.push(1_000);
    expect(await sent(scene)).toEqual([]);
  });

  test('is named when its caller takes it back', async () => {
    const key = randomUUID();
    await isListedBy(world, 'custodial_a', railKeyOf('spec', client.id, key));
    const held = await world.pay(client, await world.payee(client, { country: 'DE' }), 6_000, key);
    expect((await world.get(CancelPayout).run(held)).status).toBe('failed');
    const open = await world.get(DriftReads).list({ open: true }, null, 100);
    expect(open.filter(({ payoutId }) => payoutId === held.id)).toMatchObject([{ rail: 'custodial_a' }]);
  });
});

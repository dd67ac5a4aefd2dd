/** A client is reset while something of it is under way: what comes back finds it gone, pays nothing and leaves nothing. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import { happening } from '#libs/db/testing';
import { type MoneyWorld, settled, startMoneyWorld } from '#libs/payouts/testing';
import { Rails } from '#libs/rail-registry';
import type { RailMovement } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { log } from '#libs/telemetry';
import { ResetStore } from './db/reset.store';
import { TestClockModule } from './test-clock.module';
import { ClearClient } from './use-cases/clear-client';

type Payee = Awaited<ReturnType<MoneyWorld['payee']>>;
type Payout = Awaited<ReturnType<MoneyWorld['pay']>>;

const RECORDS = { payment: 'payment:', leg: 'leg:', opening: 'opening:', account: 'account:', check: 'check:' };

describe('a reset', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({ also: [TestClockModule], testRail: true });
    Object.assign(world.rail, { recordsKept: () => RECORDS });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ testMode: true });
    payee = await world.payee(client);
  });
  afterEach(() => jest.restoreAllMocks());

  const reset = () => world.get(ClearClient).run(client.id, async (cleared) => cleared);
  const left = async (): Promise<object[]> =>
    world.db.rows(
      `SELECT id::text FROM payouts WHERE client_id = $1 UNION ALL SELECT id::text FROM events WHERE client_id = $1
       UNION ALL SELECT name FROM jobs WHERE lane = $1::text OR owner = $1::text`,
      [client.id],
    );
  const scannedLately = () =>
    world.db.rows(`SELECT FROM rail_scans WHERE rail = 'mock' AND scanned_until > now() - interval '10 minutes'`);
  /** Its call was answered with nothing, so that its job asks. */
  const unknown = async (): Promise<Payout> => {
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    return world.pay(client, payee);
  };

  test('while a request pays tells its caller to ask again, and that is paid once', async () => {
    const key = randomUUID();
    const asked = world.pay(client, payee, 1_000, key);
    const refused = expect(asked).rejects.toMatchObject({ kind: 'gone', isHeld: true });
    const call = await world.rail.call(1);
    expect(await reset()).toMatchObject({ payees: 1, payouts: 1 });
    call.answer(settled());
    await refused;
    await expect(asked).rejects.toBeInstanceOf(DatabaseTrouble);
    expect(await left()).toEqual([]);

    payee = await world.payee(client, { externalId: payee.externalId });
    world.rail.answers = () => settled();
    const { status, railKey } = await world.pay(client, payee, 1_000, key);
    expect([status, railKey]).toEqual(['paid', call.order.railKey]);
  });

  test('lets a worker that has its job already find nothing to do', async () => {
    const payout = await unknown();
    const job = await world.takeJob(payout.id);
    await reset();
    const calls = world.rail.calls.length;
    expect(await world.drive(payout.id, job)).toBeUndefined();
    expect([world.rail.calls.length, world.rail.asked.length]).toEqual([calls, 0]);
  });

  test('keeps a worker that asks in that moment from sending it again, and it is no error', async () => {
    const payout = await unknown();
    let tell: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (tell = resolve));
    const errors = jest.spyOn(log, 'error');
    const working = world.work('payout.drive', payout.id);
    await world.rail.lookingUp(payout.railKey);
    await reset();
    tell();
    await working;
    expect(world.rail.calls).toHaveLength(1);
    expect(errors).not.toHaveBeenCalled();
    expect(await left()).toEqual([]);
  });

  test('is not begun while somebody holds a row of the client, and is done once they let it go', async () => {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let holds: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (holds = resolve));
    const holding = world.db.inTransaction(async () => {
      await world.db.execute('SELECT FROM payees WHERE id = $1 FOR NO KEY UPDATE', [payee.id]);
      holds();
      await gate;
      // With the reset in its way it would wait for ever.
      await world.db.execute('UPDATE clients SET updated_at = now() WHERE id = $1', [client.id]);
    });
    await held;
    const resetting = reset();
    letGo();
    await holding;
    expect(await resetting).toMatchObject({ payees: 1 });
  });

  test('while a list of a rail is compared leaves nothing that the list was about', async () => {
    world.rail.answers = () => settled();
    const { railKey, amountCents } = await world.pay(client, payee);
    const movement = { railKey, amountCents, providerRef: 'ref', currency: 'USD', movedAt: systemClock.now() };
    world.rail.moved = [movement];
    await compare(world);
    const known = `SELECT rail_key FROM rail_movements WHERE rail = 'mock' AND rail_key = $1`;
    expect(await world.db.rows(known, [railKey])).toHaveLength(1);

    // All of them are asked side by side, and have looked by then from when on.
    const rails = world.get(Rails).all().length;
    let asked = 0;
    let tell: (list: RailMovement[]) => void = () => undefined;
    const list = new Promise<RailMovement[]>((resolve) => (tell = resolve));
    jest.spyOn(world.rail, 'movements').mockImplementation(async () => {
      asked += 1;
      if (asked === rails) tell(await reset().then(() => [movement]));
      return list;
    });
    const errors = jest.spyOn(log, 'error');
    await compare(world);
    expect(errors.mock.calls.filter(([fields]) => (fields as { rail?: string }).rail === 'mock')).toEqual([]);
    expect(await world.db.rows(known, [railKey])).toEqual([]);
    const drift = `SELECT FROM drift WHERE rail = 'mock' AND rail_key = $1`;
    expect(await world.db.rows(drift, [railKey])).toEqual([]);
    jest.restoreAllMocks();

    world.rail.moved = [];
    await compare(world);
    expect(await scannedLately()).toHaveLength(1);
  });

  test('keeps nobody waiting who compares a list of a rail: the next comparison finds what there is', async () => {
    await compare(world);
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 hour' WHERE rail = 'mock'`);
    const [held, mayEnd] = [happening(), happening()];
    const store = world.get(ResetStore);
    const resetting = world.db.inBriefTransaction(async () => {
      await store.hold(client.id);
      held.happens();
      await mayEnd.promise;
      await store.clear(client.id);
    });
    await held.promise;
    const scannedMeanwhile = compare(world).then(scannedLately);
    expect(await scannedMeanwhile.finally(() => mayEnd.happens())).toEqual([]);
    await resetting;
    await compare(world);
    expect(await scannedLately()).toHaveLength(1);
  });
});

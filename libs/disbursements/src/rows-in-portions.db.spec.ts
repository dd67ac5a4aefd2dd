/** Very many rows change in portions, and nothing that is decided about them depends on how large these are. */
import { randomUUID } from 'node:crypto';
import { newId } from '#libs/domain';
import { DisbursementBook, type TakeLimits, type TakenRows, type TakeOrder } from '#libs/owed';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const PORTION = 3;
const AMOUNTS = [500, 100, 400, 300, 200, 700, 600];
const ALL = AMOUNTS.length;
const SUM = 2_800;

describe('rows that are more than a statement may change', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    // Each row takes so long that PostgreSQL gives up a statement of one more.
    await world.db.execute(`CREATE FUNCTION take_too_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF (SELECT count(*) FROM changed) > ${PORTION} THEN
        RAISE EXCEPTION 'canceling statement due to statement timeout' USING ERRCODE = 'query_canceled';
      END IF; RETURN NULL; END $$`);
    await world.db.execute(`CREATE TRIGGER slow AFTER UPDATE ON disbursements REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION take_too_long()`);
  });
  beforeEach(async () => {
    world.rail.reset();
    inPortionsOf(PORTION);
    scene = await OwedScene.of(world, await world.client());
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.db.execute('ALTER TABLE disbursements ENABLE TRIGGER slow');
  });
  afterAll(() => world.stop());

  const inPortionsOf = (rows: number): void => {
    jest.restoreAllMocks();
    jest.replaceProperty(world.get(DisbursementBook), 'portion', rows);
  };
  const push = async (): Promise<string[]> => {
    const rows: string[] = [];
    for (const cents of AMOUNTS) rows.push(await scene.push(cents));
    return rows;
  };
  const are = async (rows: string[], status: string): Promise<void> =>
    expect(await scene.statuses(...rows)).toEqual(rows.map(() => status));

  test('leave, come back and are paid with their payout', async () => {
    const rows = await push();
    const failed = await scene.refusedWithdrawal();
    await are(rows, 'owed');
    expect(await scene.balance()).toMatchObject({ withdrawableCents: SUM });
    world.rail.knows.set(failed.railKey, refused());
    const [payout] = await scene.withdraw();
    expect(payout).toMatchObject({ amountCents: SUM, railKey: failed.railKey });
    await are(rows, 'released');
    world.rail.answers = () => settled();
    await world.drive(payout?.id ?? '');
    await are(rows, 'paid');
    expect(await scene.balance()).toMatchObject({ withdrawableCents: 0 });
    await scene.tells(payout as Payout, { kind: 'bounced', feeCents: 100 });
    await are(rows, 'returned');
    expect(await scene.balance()).toMatchObject({ withdrawableCents: SUM - 100 });
  });

  test('are called paid, and are owed again, as an operator found out', async () => {
    const rows = await push();
    const payout = await scene.refusedWithdrawal('permanent');
    await scene.tells(payout, settled());
    expect(await scene.resolve(payout, 'paid')).toBe(ALL);
    await are(rows, 'paid');
    await scene.tells(payout, { kind: 'bounced', feeCents: 100 });
    expect(await scene.resolve(payout, 'owed')).toBe(ALL);
    await are(rows, 'owed');
    expect(await scene.balance()).toEqual({ withdrawableCents: SUM, landedCents: 0 });
  });

  /** As they would be taken; nothing comes of it. */
  const taken = async (order: Partial<TakeOrder>, limits: TakeLimits, mostRows = 100): Promise<TakenRows> => {
    const store = world.get(DisbursementBook);
    jest.replaceProperty(store, 'mostRows', mostRows);
    let rows: TakenRows | null = null;
    const all = { payeeId: scene.payee.id, currency: 'USD', payoutId: newId(), free: [], coveredCents: null, ...order };
    const undone = new Error('undone');
    const taking = world.db.inTransaction(async () => {
      rows = await store.take(all, limits);
      const attached = await store.everOn(all.payeeId, all.payoutId);
      expect(attached).toHaveLength(rows.rows);
      throw undone;
    });
    await expect(taking).rejects.toBe(undone);
    return rows as unknown as TakenRows;
  };
  const NO_LIMITS = { minCents: 0, maxCents: Number.MAX_SAFE_INTEGER };
  const NONE = { rows: 0, amountCents: 0, earlier: [], more: false };

  test.each<[string, Partial<TakeOrder>, Partial<TakeLimits>, number | undefined, Partial<TakenRows>]>([
    ['all', {}, {}, undefined, { rows: ALL, amountCents: SUM, left: 0, more: false, outside: null }],
    ['another currency', { currency: 'EUR' }, { minCents: 1 }, undefined, { ...NONE, left: 0, outside: null }],
    ['as many as one payout takes', {}, {}, 5, { rows: 5, amountCents: 1_500, left: 0, more: true }],
    ['as many, in whole portions', {}, {}, 6, { rows: 6, amountCents: 2_200, left: 0, more: true }],
    ['just as many as there are', {}, {}, ALL, { rows: ALL, left: 0, more: true }],
    [
      'what is covered',
      { coveredCents: 1_499 },
      {},
      undefined,
      { rows: 4, amountCents: 1_300, left: 3, outside: null },
    ],
    ['what is covered of as many', { coveredCents: 999 }, {}, 4, { rows: 2, amountCents: 600, left: 2, more: true }],
    ['nothing that is covered', { coveredCents: 499 }, {}, undefined, { ...NONE, left: ALL, outside: null }],
    ['too little', {}, { minCents: SUM + 1 }, undefined, { ...NONE, left: 0, outside: 'below' }],
    ['too much', {}, { maxCents: SUM - 1 }, undefined, { ...NONE, left: 0, outside: 'above' }],
    ['at the limits', {}, { minCents: SUM, maxCents: SUM }, undefined, { rows: ALL, outside: null }],
    [
      'too little covered',
      { coveredCents: 1_499 },
      { minCents: 1_301 },
      undefined,
      { ...NONE, left: ALL, outside: 'below' },
    ],
    [
      'too much covered',
      { coveredCents: 1_499 },
      { maxCents: 1_299 },
      undefined,
      { ...NONE, left: 3, outside: 'above' },
    ],
  ])('%s is taken in portions as at once', async (_, order, limits, mostRows, expected) => {
    await push();
    const inPortions = await taken(order, { ...NO_LIMITS, ...limits }, mostRows);
    expect(inPortions).toMatchObject(expected);
    await world.db.execute('ALTER TABLE disbursements DISABLE TRIGGER slow');
    inPortionsOf(1_000);
    expect(await taken(order, { ...NO_LIMITS, ...limits }, mostRows)).toEqual(inPortions);
  });

  test('rows of earlier payouts leave in portions with the others, and those are named', async () => {
    const first = await push();
    const earlier = await scene.refusedWithdrawal();
    const rows = [...first, ...(await push())];
    expect((await taken({}, NO_LIMITS)).rows).toBe(ALL);
    const both = await taken({ free: [earlier.id, randomUUID()] }, NO_LIMITS);
    expect(both).toMatchObject({ rows: rows.length, earlier: [earlier.id] });
  });
});

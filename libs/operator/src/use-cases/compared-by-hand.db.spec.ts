/** An operator says that they compared with a rail: its mark of a restore goes, and nobody compares any more. Not if it lists what it moved. */
import { RailLists } from '#libs/drift';
import { boundTo, type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { type AwaitedRail, RailCaller, RailIdentity, RailLanes, Rails, type RegisteredRail } from '#libs/rail-registry';
import { AuditStore } from '../db/audit.store';
import { OperateRails } from './operate-rails';
import { RailDeeds } from './rail-deeds';
import { RecordDeeds } from './record-deeds';

describe('that a rail was compared with by hand', () => {
  let world: MoneyWorld;
  let operate: OperateRails;
  let registered: RegisteredRail;
  let before: RegisteredRail;
  beforeAll(async () => {
    world = await startMoneyWorld();
    const { db } = world;
    const audit = new AuditStore(db);
    const deeds = new RailDeeds(db, world.get(RailIdentity), audit, new RecordDeeds(db, audit), world.get(RailLists));
    operate = new OperateRails(
      world.get(Rails),
      world.get(RailCaller),
      world.get(RailLanes),
      world.get(RailIdentity),
      deeds,
    );
    registered = world.get(Rails).find('claim_rail') as RegisteredRail;
    before = { ...registered };
  });
  afterAll(() => world.stop());
  beforeEach(() =>
    world.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES ('claim_rail', now() - interval '1 hour', now())
       ON CONFLICT (rail) DO UPDATE SET scanned_until = excluded.scanned_until, restored_at = excluded.restored_at`,
    ),
  );
  afterEach(async () => {
    registered.rail = before.rail;
    await world.db.execute('DELETE FROM rail_movements');
  });

  const isMarked = async (): Promise<boolean> =>
    (await world.get(RailLanes).awaited()).some(({ rail }) => rail === 'claim_rail');
  const listed = (): Promise<number> =>
    world.db.execute(
      `INSERT INTO rail_movements (rail, rail_key, movement, currency, amount_cents) VALUES ('claim_rail', 'gw-1', 'ref', 'USD', 100)`,
    );

  test('is refused of one that lists', async () => {
    await expect(operate.compared('ada', 'claim_rail')).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await isMarked()).toBe(true);
  });

  test('is refused of one that has no credentials now, and listed when it had: it will be compared with when it has them again', async () => {
    registered.rail = null;
    await listed();
    await expect(operate.compared('ada', 'claim_rail')).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await isMarked()).toBe(true);
  });

  test('is taken of one that has no credentials and never listed anything: all rows would wait for it some day', async () => {
    registered.rail = null;
    expect(await operate.compared('ada', 'claim_rail')).toEqual(expect.any(Date));
    expect(await isMarked()).toBe(false);
  });

  test('is taken of one that lists no more, whatever it listed before: nobody else can compare', async () => {
    registered.rail = Object.create(before.rail, { movements: { value: undefined } }) as RegisteredRail['rail'];
    await listed();
    expect(await operate.compared('ada', 'claim_rail')).toEqual(expect.any(Date));
    expect(await isMarked()).toBe(false);
  });

  test('is taken of the account that one which lists was bound to before: nobody reads that list any more. Its own list is waited for on', async () => {
    await boundTo(world, 'claim_rail', 'before');
    await boundTo(world, 'claim_rail', 'now');
    const [{ restoredAt }] = (await world.get(RailLanes).awaited()) as [AwaitedRail];
    const earlier = new Date(restoredAt.getTime() - 1_000);
    await expect(operate.compared('ada', 'claim_rail', earlier)).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await operate.compared('ada', 'claim_rail', restoredAt)).toEqual(restoredAt);
    expect(await isMarked()).toBe(true);
    await expect(operate.compared('ada', 'claim_rail')).rejects.toMatchObject({ code: 'illegal_transition' });
    await world.get(RailLists).scanned('claim_rail', new Date(restoredAt.getTime() + 601_000));
    expect(await isMarked()).toBe(false);
  });

  test('says since when it was waited for: since the database went back last, if an account of before waits from an earlier time', async () => {
    registered.rail = Object.create(before.rail, { movements: { value: undefined } }) as RegisteredRail['rail'];
    await boundTo(world, 'claim_rail', 'left earlier');
    await boundTo(world, 'claim_rail', 'bound since');
    await world.db.execute(`UPDATE scans_of_accounts SET restored_at = restored_at - interval '30 minutes'`);
    const [{ restoredAt }] = (await world.db.rows<AwaitedRail>('SELECT rail, restored_at FROM rail_scans')) as [
      AwaitedRail,
    ];
    expect(await world.get(RailLanes).awaited()).toEqual([{ rail: 'claim_rail', restoredAt }]);
    expect(await operate.compared('ada', 'claim_rail', restoredAt)).toEqual(restoredAt);
    expect(await isMarked()).toBe(false);
  });

  /** Who compared with one rail says nothing of another one: its rows wait on (point 2, ADR 106). */
  test('ends the wait for the accounts of before of that rail alone, also if those of another one have the same name', async () => {
    await world.db.execute(
      `INSERT INTO rail_scans (rail, scanned_until, restored_at) VALUES ('custodial_a', now() - interval '1 hour', now())
       ON CONFLICT (rail) DO UPDATE SET scanned_until = excluded.scanned_until, restored_at = excluded.restored_at`,
    );
    for (const rail of ['claim_rail', 'custodial_a']) {
      await boundTo(world, rail, 'left by both');
      await boundTo(world, rail, 'bound by both');
    }
    const waitFor = (): Promise<boolean[]> =>
      Promise.all(['claim_rail', 'custodial_a'].map((rail) => world.get(RailLists).awaitsAccountOfBefore(rail)));
    expect(await waitFor()).toEqual([true, true]);
    expect(await operate.compared('ada', 'claim_rail')).toEqual(expect.any(Date));
    expect(await waitFor()).toEqual([false, true]);
    const ages = await world.get(RailLists).ages();
    expect(ages.filter(({ isAccountAwaited }) => isAccountAwaited).map(({ rail }) => rail)).toEqual(['custodial_a']);
    await world.db.execute(`DELETE FROM scans_of_accounts WHERE rail = 'custodial_a'`);
    await world.db.execute(`DELETE FROM rail_scans WHERE rail = 'custodial_a'`);
  });

  test('is refused if the database went back once more since they began', async () => {
    registered.rail = null;
    const [read] = await world.get(RailLanes).awaited();
    await world.db.execute(`UPDATE rail_scans SET restored_at = restored_at + interval '1 minute'`);
    const [now] = await world.get(RailLanes).awaited();
    const refused = operate.compared('ada', 'claim_rail', (read as AwaitedRail).restoredAt);
    await expect(refused).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(await isMarked()).toBe(true);
    const { restoredAt } = now as AwaitedRail;
    expect(await operate.compared('ada', 'claim_rail', restoredAt)).toEqual(restoredAt);
    expect(await isMarked()).toBe(false);
  });
});

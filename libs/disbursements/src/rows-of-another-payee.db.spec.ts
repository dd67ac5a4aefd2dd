/**
 * A row that names its payee by address, in a database that was restored: the address belongs to somebody else by now, or its payee was registered
 * before the row was pushed again. Their codes differ, and what its rail lists under the first one keeps the row all the same.
 */
import type { Client } from '#libs/clients';
import { HELD_IN_DISPUTE, type Payout } from '#libs/payout-rules';
import { SelfReleaseJobs } from '#libs/payouts';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import { ResolveDrift } from '#libs/reconciliation';
import { compare } from '#libs/reconciliation/testing';
import { DriftReads } from '#libs/drift';
import { codeOfRows, isListedBy, OwedScene, startOwedWorld } from '../testing/src';

describe('rows of one payee that were paid to another before a restore', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    await compare(world);
  });

  /** The code of this row's payout when it was somebody else's, of which this database knows nothing. */
  const codeOfAnother = async (externalRef: string): Promise<string> => {
    const another = await OwedScene.of(world, client);
    const row = await another.push(6_000, externalRef);
    const code = await codeOfRows(world, another, row);
    await world.db.execute('DELETE FROM disbursements WHERE id = $1', [row]);
    return code;
  };
  const withdrawn = async (scene: OwedScene): Promise<Payout> => {
    world.rail.answers = () => settled('again');
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    return world.payout(id);
  };

  test.each([
    ['as it is', (code: string) => code],
    ['refused for good before', (code: string) => `${code.slice(0, -1)}1`],
  ])(
    'wait while money is listed under their code of then, %s, and leave once somebody looked',
    async (what, sentAs) => {
      const scene = await OwedScene.of(world, client);
      const railKey = sentAs(await codeOfAnother(what));
      await isListedBy(world, 'custodial_a', railKey);
      await scene.push(6_000, what);
      const payout = await withdrawn(scene);
      expect(payout).toMatchObject({ status: 'held', statusReason: HELD_IN_DISPUTE });
      await world.get(SelfReleaseJobs).sweep();
      expect(await world.status(payout.id)).toBe('held');
      expect(world.rail.calls).toEqual([]);

      const open = await world.get(DriftReads).list({ open: true }, null, 100);
      for (const { id } of open.filter((line) => line.railKey === railKey))
        await world.get(ResolveDrift).run(id, { by: 'ada', note: 'it came back by hand' });
      await world.get(SelfReleaseJobs).sweep();
      await world.drive(payout.id);
      expect(await world.status(payout.id)).toBe('paid');
    },
  );

  test('wait as well if it is listed while they wait for their worker', async () => {
    const scene = await OwedScene.of(world, client);
    const railKey = await codeOfAnother('under way');
    await scene.push(6_000, 'under way');
    const [{ id }] = (await scene.withdraw()) as [Payout];
    await isListedBy(world, 'custodial_a', railKey);
    world.rail.answers = () => settled('again');
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'held', statusReason: HELD_IN_DISPUTE });
    expect(world.rail.calls).toEqual([]);
  });

  test('leave if what is listed was for other rows of another payee', async () => {
    const scene = await OwedScene.of(world, client);
    await isListedBy(world, 'custodial_a', await codeOfAnother('another'));
    await scene.push(6_000, 'of this one');
    expect(await withdrawn(scene)).toMatchObject({ status: 'paid' });
  });
});

/**
 * A payout came back, or was refused. Its rail's list, which could not be read for a while, has it as out once more, as 'two', has that back, and has
 * 'zwo-three' as out. The line names the one that is out; or it names 'two', which was listed first, and an operator who looks at it finds that it came
 * back, and says so: then another line names 'zwo-three'.
 */
import { movementOf, OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { driftView, type DriftView } from '../http/work.dto';
import { operateDriftIn } from './operate-drift.fake';

describe('a second payment that came back, and a third that is out', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let payout: Payout;
  beforeAll(async () => {
    world = await startOwedWorld();
    await compare(world);
  });
  afterAll(() => world.stop());

  const listed = async (...movements: [direction: 'out' | 'back', reference: string][]): Promise<void> => {
    world.rail.moved = [
      ...world.rail.moved,
      ...movements.map(([way, reference]) => movementOf(payout, way, reference)),
    ];
    await compare(world);
  };
  const read = async (): Promise<DriftView[]> => (await scene.openDrift(payout)).map(driftView);

  /** How its list has it: one after the other, or all at once because it could not be read for a while. */
  const secondThenThird = {
    'one after the other': async () => {
      await listed(['out', 'two']);
      expect(await read()).toMatchObject([{ providerRef: 'two' }]);
      await listed(['back', 'two'], ['out', 'zwo-three']);
    },
    'all at once': () => listed(['out', 'two'], ['back', 'two'], ['out', 'zwo-three']),
  };

  const returned = async (whose: 'of rows' | 'of a caller' | 'refused'): Promise<void> => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    if (whose === 'of rows') await scene.push(6_000);
    payout =
      whose === 'of rows' ? ((await scene.withdraw())[0] as Payout) : await world.pay(scene.client, scene.payee, 6_000);
    if (whose === 'refused') {
      await scene.refuse(payout, 'permanent');
      payout = await world.payout(payout.id);
      expect(payout.status).toBe('failed');
      return;
    }
    world.rail.answers = () => settled('ref');
    await world.drive(payout.id);
    world.rail.answers = null;
    payout = await world.payout(payout.id);
    world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    await listed(['out', 'ref'], ['back', 'ref']);
    expect([await world.status(payout.id), await read()]).toEqual(['returned', []]);
    if (whose === 'of a caller') return;
    // What came back leaves again, and arrives.
    const [next] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled('another');
    await world.drive(next.id);
    world.rail.answers = null;
    expect(await world.status(next.id)).toBe('paid');
  };

  describe.each(['of rows', 'of a caller', 'refused'] as const)('%s', (whose) => {
    test.each(Object.keys(secondThenThird) as (keyof typeof secondThenThird)[])(
      'is what the line names, or is named once the operator said that the second came back: %s',
      async (how) => {
        await returned(whose);
        await secondThenThird[how]();
        world.rail.knows.set(payout.railKey, settled('zwo-three') as LookupFact);
        const [line] = (await read()) as [DriftView];
        expect(line.said).toBe('out');
        if (line.providerRef === 'zwo-three') return;
        const close = () =>
          operateDriftIn(world).resolve('ada', line.id, {
            ...{ note: `${line.providerRef} came back`, rows: 'owed', neverSeen: false, said: line.said },
          });
        // Refused once if its rail told of the third one meanwhile.
        await close().catch(close);
        for (let n = 0; n < 4; n += 1) {
          await compare(world);
          await world.db.execute(`UPDATE rail_movements SET listed_at = listed_at - interval '6 minutes'`);
        }
        expect((await read()).map(({ providerRef }) => providerRef)).toContain('zwo-three');
      },
    );
  });
});

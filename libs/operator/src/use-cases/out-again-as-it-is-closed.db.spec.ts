/**
 * Lines are open about one payout: its money went out, and it came back. An operator reads them, looks at the rail, and closes them: nothing is at
 * the payee. Between their look and their word its rail has it out again, which no new line shows. Their word is not one about that.
 */
import { OwedScene, startOwedWorld } from '#libs/disbursements/testing';
import type { RailWord } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { type DriftView, driftView } from '../http/work.dto';
import type { OperateDrift } from './operate-drift';
import { operateDriftIn } from './operate-drift.fake';

const CAME_BACK: LookupFact = { kind: 'bounced', feeCents: 0 };
const OUT_AGAIN = {
  code: 'illegal_transition',
  message: expect.stringContaining('now says that this money is out') as string,
};

describe('money that is out again between what an operator read and what they say', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  let operate: OperateDrift;
  beforeAll(async () => {
    world = await startOwedWorld();
    operate = operateDriftIn(world);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client());
    await scene.push(6_000);
  });

  const read = async (payout: Payout): Promise<DriftView[]> => (await scene.openDrift(payout)).map(driftView);
  const close = ({ id }: DriftView, said?: RailWord) =>
    operate.resolve('ada', id, { note: null, rows: 'owed', neverSeen: false, said });
  const failed = async (): Promise<Payout> => {
    const payout = await scene.refusedWithdrawal('permanent');
    for (const fact of [settled(), CAME_BACK]) await scene.tells(payout, fact);
    return payout;
  };
  const returned = async (): Promise<Payout> => {
    const [payout] = (await scene.withdraw()) as [Payout];
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    world.rail.answers = null;
    for (const fact of [CAME_BACK, settled(), CAME_BACK]) await scene.tells(payout, fact);
    return payout;
  };

  test.each([
    ['failed', failed],
    ['returned', returned],
  ])('keeps its rows, if it %s: what they read is not what its rail says', async (_, made) => {
    const payout = await made();
    const lines = await read(payout);
    expect(new Set(lines.map(({ said }) => said))).toEqual(new Set(['back']));
    await scene.tells(payout, settled());
    for (const line of lines) await expect(close(line, 'back')).rejects.toMatchObject(OUT_AGAIN);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    const now = await read(payout);
    expect(new Set(now.map(({ said }) => said))).toEqual(new Set(['out']));
    for (const line of now) await close(line, 'out');
    expect(await read(payout)).toEqual([]);
  });

  test('keeps its rows, if they do not say what they read, and the rail is asked as they close it', async () => {
    const payout = await failed();
    const [line] = (await read(payout)) as [DriftView];
    world.rail.knows.set(payout.railKey, settled() as LookupFact);
    await expect(close(line)).rejects.toMatchObject(OUT_AGAIN);
    expect((await read(payout)).map(({ said }) => said)).toEqual(['out', 'out']);
    await expect(close(line)).resolves.toMatchObject({ resolvedBy: 'ada' });
  });

  test.each(['back', null] as const)(
    'keeps its rows from an admin who found out elsewhere, and read: %s',
    async (said) => {
      const payout = await failed();
      await world.db.execute('UPDATE drift SET said = $2, said_at = NULL WHERE payout_id = $1', [payout.id, said]);
      const lines = await read(payout);
      await scene.tells(payout, settled());
      for (const { id } of lines) {
        const deed = operate.resolve('ada', id, { note: 'found', rows: 'owed', neverSeen: true, said });
        await expect(deed).rejects.toMatchObject(OUT_AGAIN);
      }
      expect(await scene.outcome()).toBe('nothing_to_withdraw');
    },
  );
});

/** However much is owed: one payout takes so many rows, and the rest stays owed for the next one. */
import type { Client } from '#libs/clients';
import { DisbursementBook } from '#libs/owed';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('more rows than one payout takes', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  beforeEach(() => {
    world.rail.reset();
    world.rail.answers = () => accepted();
    jest.replaceProperty(world.get(DisbursementBook), 'mostRows', 2);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const owing = async (country: string): Promise<{ scene: OwedScene; rows: string[] }> => {
    const scene = await OwedScene.of(world, client, country);
    const rows: string[] = [];
    for (const cents of [1_000, 2_000, 3_000]) rows.push(await scene.push(cents));
    return { scene, rows };
  };

  const waits = async ({ payee }: OwedScene): Promise<number> =>
    (await world.db.rows(`SELECT FROM jobs WHERE name = 'owed.release' AND entity_id = $1`, [payee.id])).length;

  test('leave oldest first, and the rest with the next withdrawal', async () => {
    const { scene, rows } = await owing('FR');
    expect(await scene.outcome()).toEqual([3_000]);
    expect(await scene.statuses(...rows)).toEqual(['released', 'released', 'owed']);
    expect(await scene.balance()).toMatchObject({ withdrawableCents: 3_000 });
    expect(await scene.outcome()).toEqual([3_000]);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test('leave one payout after the other where they leave by themselves', async () => {
    const { scene, rows } = await owing('IT');
    for (const left of [['owed'], ['released']]) {
      expect(await waits(scene)).toBe(1);
      await world.work('owed.release', scene.payee.id);
      expect(await scene.statuses(...rows)).toEqual(['released', 'released', ...left]);
    }
    expect(await waits(scene)).toBe(0);
  });
});

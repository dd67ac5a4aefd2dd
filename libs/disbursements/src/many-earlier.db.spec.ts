/**
 * A caller withdraws, takes the payout back and withdraws again, as often as its limit allows. Each of these payouts was never sent, and no
 * rail has to be asked about any of them: what the next withdrawal loads must not grow with how many there were. A client's three hundred
 * rounds a minute would otherwise be a list of thousands of payouts, loaded in one go by each request.
 */
import type { Client } from '#libs/clients';
import { DisbursementReads } from '#libs/owed';
import type { Payout } from '#libs/payout-rules';
import { CancelPayout } from '#libs/payouts';
import { loadedPayouts, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const ROUNDS = 12;

describe('a row that was on very many payouts, none of which was ever sent', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  const round = async (scene: OwedScene): Promise<Payout> => {
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(payout.status).toBe('held');
    return world.get(CancelPayout).run(await world.payout(payout.id));
  };
  const loadedBy = async (work: () => Promise<unknown>): Promise<number> => {
    const counts = loadedPayouts();
    await work();
    jest.restoreAllMocks();
    return counts.reduce((sum, count) => sum + count, 0);
  };

  test('costs a withdrawal no more than one that was on a few', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(50);
    for (let nth = 0; nth < 2; nth += 1) await round(scene);
    const ofFew = await loadedBy(() => round(scene));
    for (let nth = 0; nth < ROUNDS; nth += 1) await round(scene);
    expect(await loadedBy(() => round(scene))).toBe(ofFew);
  }, 60_000);

  test('is looked at with one of them that is named by a difference', async () => {
    const scene = await OwedScene.of(world, client);
    await scene.push(50);
    const first = await round(scene);
    await round(scene);
    await round(scene);
    const reads = world.get(DisbursementReads);
    expect((await reads.earlier(client.id, scene.payee.id)).takenBack).toContain(first.id);
    await world.db.execute(
      `INSERT INTO drift (id, rail, rail_key, kind, payout_id, rail_cents, rail_currency, our_cents, our_currency, our_status, has_moved)
       VALUES (gen_random_uuid(), 'elsewhere', $2, 'not_paid_here', $1, 50, 'USD', 50, 'USD', 'failed', true)`,
      [first.id, first.railKey],
    );
    const { earlier, takenBack } = await reads.earlier(client.id, scene.payee.id);
    expect(takenBack).not.toContain(first.id);
    expect(earlier.map(({ id }) => id)).toContain(first.id);
    expect(await scene.withdraw().catch(() => [])).toEqual([]);
  }, 60_000);
});

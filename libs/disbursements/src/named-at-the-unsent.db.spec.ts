/**
 * The same rows leave under the same code. The first payout was sent and refused, the second one is held, and their rail settled the code after all.
 * An operator who fails the held one hears of that: as of the one that was sent, of which everything else is heard that the rail says of the code.
 */
import type { Client } from '#libs/clients';
import { GiveUpPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a payout that was never sent, and is failed once its rail settled what was sent under its code before', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    scene = await OwedScene.of(world, client);
  });

  /** As `POST /operator/v1/payouts/{id}/fail` does it. */
  const failed = async (payout: Payout): Promise<Payout> => {
    const givingUp = world.get(GiveUpPayout);
    return givingUp.run(payout, 'it does not go on', false, await givingUp.ask(payout));
  };
  const heldUnderTheCode = async (): Promise<[sent: Payout, held: Payout]> => {
    await scene.push(6_000);
    const sent = await scene.refusedWithdrawal();
    world.rail.knows.set(sent.railKey, refused() as LookupFact);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const [held] = (await scene.withdraw()) as [Payout];
    expect([held.status, held.railKey]).toEqual(['held', sent.railKey]);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    return [sent, held];
  };

  test('called paid, and sent back by its bank: its rows are owed again once an operator says so', async () => {
    const [sent, held] = await heldUnderTheCode();
    world.rail.knows.set(sent.railKey, settled() as LookupFact);
    await failed(held);
    const open = [...(await scene.openDrift(held)), ...(await scene.openDrift(sent))];
    expect(open).toHaveLength(1);
    const named = open[0]?.payoutId === held.id ? held : sent;
    expect(await scene.resolve(named, 'paid')).toBe(1);
    expect(await scene.balance()).toEqual({ withdrawableCents: 0, landedCents: 6_000 });
    // Its bank sends it back, and a notice of the code says so.
    await scene.tells(sent, { kind: 'bounced', feeCents: 0 });
    await scene.tells(held, { kind: 'bounced', feeCents: 0 });
    const back = [...(await scene.openDrift(held)), ...(await scene.openDrift(sent))];
    expect(back).toMatchObject([{ liftingFeeCents: 0 }]);
    await scene.resolve(back[0]?.payoutId === held.id ? held : sent, 'owed');
    expect(await scene.balance()).toEqual({ withdrawableCents: 6_000, landedCents: 0 });
  });

  test('called owed, for the money was recovered by other means: its rows leave, or somebody is told why not', async () => {
    const [sent, held] = await heldUnderTheCode();
    world.rail.knows.set(sent.railKey, settled() as LookupFact);
    await failed(held);
    const open = [...(await scene.openDrift(held)), ...(await scene.openDrift(sent))];
    await scene.resolve(open[0]?.payoutId === held.id ? held : sent, 'owed');
    // Its rail says so still.
    const outcome = await scene.outcome();
    const named = [...(await scene.openDrift(held)), ...(await scene.openDrift(sent))].length;
    expect([outcome, named]).not.toEqual(['nothing_to_withdraw', 0]);
  });
});

/**
 * An operator called rows paid whose money waits, as their rail says, for their payee to say where it goes: it never left the wallet that the rail keeps
 * for them, or came back to it because what they had begun came to nothing. They cannot send it on any more, for what is paid waits for nobody.
 */
import type { Payout } from '#libs/payout-rules';
import { claimed, type MoneyWorld, settled, waits } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('money that an operator called paid, and that waits for its payee at its rail', () => {
  let world: MoneyWorld;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, await world.client(), 'IT');
  });

  /** This rail takes money as it is credited. */
  const withdrawn = async (): Promise<Payout> => {
    await scene.push(6_000);
    const known = await world.db.row<{ id: string }>('SELECT id FROM payouts WHERE payee_id = $1', [scene.payee.id]);
    if (known) return world.payout(known.id);
    const [payout] = (await scene.withdraw()) as [Payout];
    return payout;
  };

  test.each([
    ['never left it', waits()],
    ['lies there again', waits('the key of a call that came to nothing')],
  ])('is named (it %s)', async (_, fact) => {
    world.rail.answers = () => waits();
    const { id } = await withdrawn();
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    const payout = await world.payout(id);
    expect(payout).toMatchObject({ status: 'submitted', provider: 'swap_rail' });
    await scene.tells(payout, claimed());
    // Its rail lists it under another name: somebody has to look.
    await scene.isListed(payout, 'another');
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await world.status(id)).toBe('paid');
    expect(await scene.openDrift(payout)).toEqual([]);
    await scene.tells(payout, fact);
    expect(await scene.openDrift(payout)).toMatchObject([{ kind: 'amount_differs', railCents: 0 }]);
  });

  test('is named for one that had failed for good', async () => {
    const { id } = await withdrawn();
    await scene.refuse(await world.payout(id), 'permanent');
    const payout = await world.payout(id);
    expect(payout).toMatchObject({ status: 'failed', provider: 'swap_rail' });
    await scene.tells(payout, settled());
    expect(await scene.resolve(payout, 'paid')).toBe(1);
    expect(await scene.openDrift(payout)).toEqual([]);
    await scene.tells(payout, waits('the key of a call that came to nothing'));
    expect(await scene.openDrift(payout)).toHaveLength(1);
  });
});

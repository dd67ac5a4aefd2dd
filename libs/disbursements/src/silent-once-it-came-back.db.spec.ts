/** Money that came back may be out once more, as when its reversal is cancelled: while its rail cannot say, its rows do not leave again. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const SILENT = { kind: 'unknown', detail: 'no answer' } as const;

describe('rows of money that came back, over a rail that is silent', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  beforeEach(() => world.rail.reset());
  afterAll(() => world.stop());

  const cameBack = async (): Promise<[OwedScene, Payout]> => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    world.rail.answers = () => accepted('one');
    const payout = await scene.sent();
    await scene.tells(payout, settled('one'));
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    world.rail.knows.set(payout.railKey, SILENT);
    return [scene, payout];
  };

  test('stay until it says that the money is there', async () => {
    const [scene, payout] = await cameBack();
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    world.rail.knows.set(payout.railKey, { kind: 'bounced', feeCents: 0 });
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('stay if it says that the money is out, and that is named', async () => {
    const [scene, payout] = await cameBack();
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    world.rail.knows.set(payout.railKey, settled('two'));
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await scene.openDrift(payout)).toMatchObject([{ providerRef: 'two' }]);
  });

  test('leave once it came back ten days ago: a rail may be silent for good', async () => {
    const [scene, payout] = await cameBack();
    const came = (ago: string): Promise<unknown> =>
      world.db.execute('UPDATE payouts SET updated_at = now() - $2::interval WHERE id = $1', [payout.id, ago]);
    await came('9 days');
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await came('11 days');
    expect(await scene.outcome()).toEqual([6_000]);
  });
});

/** A difference is closed while somebody is about to send: what its rail could not say of another payout still counts. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { PayoutReads, RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('a difference that is closed while its payout is about to be sent', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('leaves what is not known of another payout of the rows', async () => {
    const scene = await OwedScene.of(world, client, 'ES');
    const failed = async (amount: number): Promise<Payout> => {
      await scene.push(amount);
      world.rail.answers = () => refused();
      const [payout] = (await scene.withdraw()) as [Payout];
      world.rail.knows.set(payout.railKey, refused());
      expect(await world.status(payout.id)).toBe('failed');
      return payout;
    };
    const first = await failed(6_000);
    const second = await failed(1_000);
    await scene.push(500);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [scene.payee.id]);
    const [third] = (await scene.withdraw()) as [Payout];
    expect(third.status).toBe('held');
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [scene.payee.id]);
    await scene.tells(second, settled('second'));
    world.rail.knows.set(first.railKey, { kind: 'unknown', detail: 'no answer' });
    world.rail.answers = () => settled('third');
    const sent = world.rail.calls.length;
    const reads = world.get(PayoutReads);
    const disputed = reads.disputed.bind(reads);
    jest.spyOn(reads, 'disputed').mockImplementationOnce(async (ids) => {
      const found = await disputed(ids);
      await scene.resolve(second, 'owed');
      return found;
    });
    await world
      .get(RemedyPayout)
      .release(await world.payout(third.id), 'client')
      .catch(() => undefined);
    expect(await scene.openDrift(second)).toEqual([]);
    expect(world.rail.calls.length).toBe(sent);
  });
});

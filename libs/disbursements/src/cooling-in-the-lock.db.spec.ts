/** The address changes after the job that releases what is owed by itself has looked, and before it holds the payee: what counts is what is there in the lock. */
import type { Client } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { ReleaseByItself } from './use-cases/release-by-itself';
import { ReleaseOwed } from './use-cases/release-owed';

describe('what is owed on a rail that releases it by itself', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('stays owed if the address that it goes to changes while it is about to leave', async () => {
    world.rail.answers = () => accepted();
    const scene = await OwedScene.of(world, client, 'IT');
    const { payee } = scene;
    const row = await scene.push(6_000);
    const owed = world.get(ReleaseOwed);
    const byItself = owed.byItself.bind(owed);
    const changing: typeof byItself = async (...asked) => {
      await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
      return byItself(...asked);
    };
    Object.assign(owed, { byItself: changing });
    await world
      .get(ReleaseByItself)
      .ofPayee(payee.id)
      .finally(() => Object.assign(owed, { byItself }));
    expect(await scene.statuses(row)).toEqual(['owed']);
    expect(await world.db.rows('SELECT id FROM payouts WHERE payee_id = $1', [payee.id])).toEqual([]);
  });
});

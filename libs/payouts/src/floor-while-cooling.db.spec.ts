/** A floor is reached by what may leave: what waits for its payee's cool-down does not carry others over it. */
import { UpsertPayee } from '#libs/payees';
import { changeIsDated, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { ReleaseHeld } from './use-cases/release-held';

describe('a group below its floor of which a part waits for a cool-down', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('keeps the rest until that reaches the floor', async () => {
    const client = await world.client({ floors: { claim_rail: 1_000 }, coolDownSeconds: 86_400 });
    const payee = await world.payee(client, { country: 'DE' });
    const old = await world.pay(client, payee, 900);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'new@example.com' });
    const young = await world.pay(client, payee, 150);
    await world.get(ReleaseHeld).accrued();
    expect([await world.status(old.id), await world.status(young.id)]).toEqual(['held', 'held']);
  });

  test('goes on without it once the rest reaches the floor, also in the transaction that makes it', async () => {
    const client = await world.client({ floors: { claim_rail: 1_000 }, coolDownSeconds: 86_400 });
    const payee = await world.payee(client, { country: 'DE' });
    const old = await world.pay(client, payee, 900);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'new@example.com' });
    await changeIsDated(world, payee.id);
    const young = await world.pay(client, payee, 150);
    expect([await world.status(old.id), await world.status(young.id)]).toEqual(['held', 'held']);
    const last = await world.pay(client, payee, 850);
    const ids = [old.id, young.id, last.id];
    expect(await Promise.all(ids.map((id) => world.status(id)))).toEqual(['held', 'authorized', 'authorized']);
  });
});

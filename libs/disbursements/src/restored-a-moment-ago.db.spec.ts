/**
 * A database that was restored from a backup of a moment ago, and a rail that is bound to another account since. What a caller asks for again under its key,
 * as the restore tells operators to let them, may have been paid in the time that was lost. The account that paid would know the code still; the one of now
 * never heard of it. So it waits for the list of the one of before, however young the backup is (points 1 and 2, ADR 106, 68).
 */
import type { Client } from '#libs/clients';
import { RemedyPayout } from '#libs/payouts';
import { boundTo, isRestored, type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const RAIL = 'custodial_a';

describe('a payout of the caller that the account of before paid in the time that was lost', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([
    ['asked for again under its key', true],
    ['taken on before the backup, and sent after it', false],
  ])('is not paid by another one: %s', async (_, isAskedForAgain) => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await boundTo(world, RAIL, `payer ${String(isAskedForAgain)}`);
    await compare(world);
    const { payee } = await OwedScene.of(world, client);
    let id = '';
    if (!isAskedForAgain) ({ id } = await world.pay(client, payee, 6_000, 'in the backup')); // and its job did not run yet
    await isRestored(world); // meanwhile it was sent and paid
    await boundTo(world, RAIL, `successor ${String(isAskedForAgain)}`);
    world.rail.moved = [];
    await compare(world);
    if (isAskedForAgain) ({ id } = await world.pay(client, payee, 6_000, 'key of a moment ago'));
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect(`${await world.status(id)} ${world.rail.calls.length}`).toBe('authorized 0');
  });

  test('is not paid by another one: held in the backup, released after it, and released once more now', async () => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await boundTo(world, RAIL, 'payer of what was held');
    await compare(world);
    const { payee } = await OwedScene.of(world, client);
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
    const { id } = await world.pay(client, payee, 6_000, 'held in the backup');
    expect(await world.status(id)).toBe('held');
    await isRestored(world); // meanwhile it was released, sent and paid
    await boundTo(world, RAIL, 'successor of what was held');
    await compare(world);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [payee.id]);
    const releasing = world.get(RemedyPayout).release(await world.payout(id), 'operator');
    await releasing.catch(() => undefined);
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect(world.rail.calls.length).toBe(0);
  });
});

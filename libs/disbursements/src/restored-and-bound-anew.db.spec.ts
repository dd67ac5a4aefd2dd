/**
 * A database that was restored, and a rail that is bound to another account before it was compared with: the admin of before did so in the time that was
 * lost, or a wrong account is bound now. What the account of then paid in that time is in its list alone. The list of the other one does not end the
 * wait: else the rows leave once more with one more beside them (points 1 and 2, ADR 106: until each rail was compared with).
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RailLists } from '#libs/drift';
import { boundTo, isRestored, type MoneyWorld, settled } from '#libs/payouts/testing';
import { compare } from '#libs/reconciliation/testing';
import { codeOfRows, movementOf, OwedScene, startOwedWorld } from '../testing/src';

const RAIL = 'custodial_a';

describe('rows that the account of before paid in the time that was lost', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());

  test.each([
    ['the same account is bound', 'first', 'FR', 'held 0'],
    ['another account is bound', 'second', 'FR', 'authorized 0'],
    ['another account is bound, and their payee is paid over another rail now', 'third', 'DE', 'authorized 0'],
  ])('are not paid again: %s', async (_, account, country, expected) => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await boundTo(world, RAIL, 'first');
    await compare(world);
    const scene = await OwedScene.of(world, client, country);
    const code = await codeOfRows(world, scene, await scene.push(6_000));
    await isRestored(world);
    await boundTo(world, RAIL, account);
    // The list of the first one has it; that of any other one knows nothing of it.
    const paid = movementOf({ railKey: code, provider: RAIL } as Payout, 'out', 'before');
    world.rail.moved = account === 'first' ? [paid] : [];
    await compare(world);
    await scene.push(1_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect(`${await world.status(id)} ${world.rail.calls.length}`).toBe(expected);
    if (account === 'first') return;
    // The comparison with the one of before ends it, and names what that paid.
    await boundTo(world, RAIL, 'first');
    world.rail.moved = [paid];
    await compare(world);
    await world.drive(id);
    expect(`${await world.status(id)} ${world.rail.calls.length}`).toBe('held 0');
  });

  test('wait for the one of before only until somebody compared with it', async () => {
    world.rail.reset();
    world.rail.answers = () => settled('first time');
    client = await world.client();
    await boundTo(world, RAIL, 'gone');
    await compare(world);
    const scene = await OwedScene.of(world, client, 'FR');
    await scene.push(6_000);
    await isRestored(world);
    await boundTo(world, RAIL, 'instead');
    await compare(world);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    expect([await world.status(id), world.rail.calls]).toEqual(['authorized', []]);
    expect(await world.get(RailLists).comparedByHand(RAIL, null, true)).toEqual(expect.any(Date));
    await world.drive(id);
    expect([await world.status(id), world.rail.calls.length]).toEqual(['paid', 1]);
  });

  /**
   * The backup knows the account of before, which was bound again for a while in the time that was lost. What it paid then is in its list alone, and the
   * list of the one that is bound at the backup, and now, says nothing of it.
   */
  test('are not paid again if the account of before was bound again for a while in the time that was lost', async () => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await boundTo(world, RAIL, 'earlier');
    await compare(world);
    await boundTo(world, RAIL, 'of the backup');
    await compare(world);
    const scene = await OwedScene.of(world, client, 'FR');
    const code = await codeOfRows(world, scene, await scene.push(6_000));
    const paid = movementOf({ railKey: code, provider: RAIL } as Payout, 'out', 'before');
    await isRestored(world); // meanwhile `earlier` was bound, paid 6,000 and was left again
    world.rail.moved = [];
    await compare(world);
    await scene.push(1_000);
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect(`${await world.status(id)} ${world.rail.calls.length}`).toBe('authorized 0');
    await boundTo(world, RAIL, 'earlier');
    world.rail.moved = [paid];
    await compare(world);
    await world.drive(id);
    expect(`${await world.status(id)} ${world.rail.calls.length}`).toBe('held 0');
  });

  /** Of an old backup, whose rail has forgotten the code: it waits for the list of whoever paid. */
  test.each([
    ['the same account is bound', 'first', 'held 0'],
    ['another account is bound', 'fourth', 'authorized 0'],
  ])('nor is a payout of the caller, asked for again under its key: %s', async (_, account, expected) => {
    world.rail.reset();
    world.rail.answers = () => settled('again');
    client = await world.client();
    await boundTo(world, RAIL, 'first');
    await compare(world);
    const { payee } = await OwedScene.of(world, client);
    // The database forgets it, as it was made after the backup.
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
    const { id: forgotten } = await world.pay(client, payee, 6_000, 'its key');
    const { railKey } = await world.payout(forgotten);
    await world.db.execute(`UPDATE payouts SET rail_key = 'other-' || id, idempotency_key = 'another' WHERE id = $1`, [
      forgotten,
    ]);
    await world.db.execute('UPDATE payees SET blocked = false WHERE id = $1', [payee.id]);
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '1 day' WHERE rail = $1`, [RAIL]);
    await isRestored(world);
    await boundTo(world, RAIL, account);
    const paid = movementOf({ railKey, provider: RAIL } as Payout, 'out', 'before');
    world.rail.moved = account === 'first' ? [paid] : [];
    await compare(world);
    const { id } = await world.pay(client, payee, 6_000, 'its key');
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    expect(`${await world.status(id)} ${world.rail.calls.length}`).toBe(expected);
  });
});

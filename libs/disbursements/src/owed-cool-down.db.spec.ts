/** What is owed to somebody who is paid by an e-mail address waits for a while when that address changes. */
import type { Client } from '#libs/clients';
import { UpsertPayee } from '#libs/payees';
import { RemedyPayout, SelfReleaseJobs } from '#libs/payouts';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { ReleaseByItself } from './use-cases/release-by-itself';

describe('what is owed, when the address it goes to changes', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  test('a changed address keeps what is owed for a while, also what would leave by itself', async () => {
    world.rail.answers = () => accepted();
    for (const country of ['DE', 'IT']) {
      scene = await OwedScene.of(world, client, country);
      const { payee } = scene;
      const first = await scene.push(6_000);
      await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
      await expect(scene.withdraw()).rejects.toMatchObject({ code: 'payee_not_payable' });
      expect(await world.get(ReleaseByItself).ofPayee(payee.id)).toEqual(country === 'IT' ? expect.any(Date) : null);
      expect(await scene.statuses(first)).toEqual(['owed']);
      await world.db.execute(`UPDATE payees SET email_changed_at = now() - interval '25 hours' WHERE id = $1`, [
        payee.id,
      ]);
      if (country === 'IT') await world.get(ReleaseByItself).ofPayee(payee.id);
      else await scene.withdraw();
      expect(await scene.statuses(first)).toEqual(['released']);
    }
  });

  test('a first address, and a payee who moves to such a rail without a change, wait for nothing', async () => {
    world.rail.answers = () => accepted();
    scene = await OwedScene.of(world, client, 'DE', { email: null });
    const { payee } = scene;
    await scene.push(1_000);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'first@example.com' });
    expect(await scene.withdraw()).toHaveLength(1);
  });

  test('a changed address is told to both, and a first one to nobody', async () => {
    const told = async (email: string | null): Promise<string[]> => {
      const { payee } = await OwedScene.of(world, client, 'DE', { email });
      const to = `to.${payee.id}@example.com`;
      await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: to });
      const mails = await world.db.rows<{ toAddress: string }>(
        `SELECT to_address FROM mails WHERE kind = 'details_changed' AND to_address = ANY($1) ORDER BY to_address`,
        [[email, to]],
      );
      return mails.map(({ toAddress }) => toAddress.split('.')[0] as string);
    };
    expect(await told('from.us@example.com')).toEqual(['from', 'to']);
    expect(await told(null)).toEqual([]);
  });

  test('a detour over another country does not pass the cool-down', async () => {
    scene = await OwedScene.of(world, client, 'DE');
    const { payee } = scene;
    await scene.push(1_000);
    const { externalId } = payee;
    for (const change of [{ country: 'FR' }, { email: 'eve@example.com' }, { country: 'DE' }])
      await world.get(UpsertPayee).run(client, { externalId, ...change });
    await expect(scene.withdraw()).rejects.toMatchObject({ code: 'payee_not_payable' });
  });

  test('a detour by way of an account, of a held payout or of no address does not pass it either', async () => {
    scene = await OwedScene.of(world, client, 'DE');
    const { payee } = scene;
    const { externalId } = payee;
    await scene.push(50_000);
    const change = (fields: object) => world.get(UpsertPayee).run(client, { externalId, ...fields });
    await change({ name: null });
    const [held] = await scene.withdraw();
    expect(held).toMatchObject({ status: 'held', statusReason: 'missing_name' });
    await change({ name: 'Ada Lovelace', email: 'eve@example.com' });
    const released = await world.get(RemedyPayout).release(await world.payout(held?.id ?? ''), 'client');
    expect(released).toMatchObject({ status: 'held' });
    expect(released.statusReason).toContain('not_payable');
    await change({ country: 'FR' });
    await expect(world.adopt(client, payee)).rejects.toMatchObject({ code: 'payee_cooling_down' });
  });

  test('an address that follows on none is a first one only if there never was another', async () => {
    scene = await OwedScene.of(world, client, 'DE');
    const { payee } = scene;
    const { externalId } = payee;
    await scene.push(1_000);
    await world.get(UpsertPayee).run(client, { externalId, email: null });
    await world.db.execute(`UPDATE payees SET email_changed_at = now() - interval '25 hours' WHERE id = $1`, [
      payee.id,
    ]);
    await world.get(UpsertPayee).run(client, { externalId, email: 'eve@example.com' });
    await expect(scene.withdraw()).rejects.toMatchObject({ code: 'payee_not_payable' });
  });

  test('what was held for another cause keeps it while the address is new, and goes on by itself after that', async () => {
    const capped = await world.client({ caps: { dailyCents: 1_000 } });
    scene = await OwedScene.of(world, capped, 'DE');
    const { payee } = scene;
    world.rail.answers = () => accepted();
    await scene.push(5_000);
    const [held] = await scene.withdraw();
    expect(held?.statusReason).toContain('cap_exceeded_daily');
    await world.get(UpsertPayee).run(capped, { externalId: payee.externalId, email: 'eve@example.com' });
    await world.db.execute(`UPDATE clients SET caps = '{}' WHERE id = $1`, [capped.id]);
    await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '2 days' WHERE id = $1`, [held?.id]);
    await world.setStatus(capped, 'active'); // so that the new caps are known
    await world.get(SelfReleaseJobs).release();
    expect((await world.payout(held?.id ?? '')).statusReason).toContain('cap_exceeded_daily');
    await world.db.execute(`UPDATE payees SET email_changed_at = now() - interval '25 hours' WHERE id = $1`, [
      payee.id,
    ]);
    await world.get(SelfReleaseJobs).release();
    expect(await world.status(held?.id ?? '')).toBe('submitted');
  });
});

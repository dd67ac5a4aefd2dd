/**
 * As the last scene of restored-and-bound-anew, of a backup of half an hour ago: the rail that paid honours the code still, so a payout of the caller does
 * not wait for its list (ADR 106: "its rail mostly is the one of before, knows the code, and says that it paid it"). The account that is bound by now is
 * not the one of before, and knows no code of then: nobody is paid twice all the same ("done when": what the rails moved is at most what was asked).
 */
import type { Client } from '#libs/clients';
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

  test.each(['was authorized when the backup was made', 'is asked for again under its key'])(
    'is not paid by another account: it %s',
    async (how) => {
      world.rail.reset();
      client = await world.client();
      await boundTo(world, RAIL, `first, it ${how}`);
      await compare(world);
      const { payee } = await OwedScene.of(world, client);
      const { id: known, railKey } = await world.pay(client, payee, 6_000, 'its key');
      expect(await world.status(known)).toBe('authorized'); // the backup; then its job sends it, and the first account pays
      if (how === 'is asked for again under its key')
        await world.db.execute(
          `UPDATE payouts SET status = 'failed', failure_kind = 'permanent', rail_key = 'other-' || id, idempotency_key = 'another' WHERE id = $1`,
          [known],
        );
      await world.db.execute(`UPDATE rail_scans SET scanned_until = now() - interval '30 minutes' WHERE rail = $1`, [
        RAIL,
      ]);
      await isRestored(world);
      await boundTo(world, RAIL, `second, it ${how}`);
      await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '10 minutes'`);
      await compare(world);
      world.rail.answers = () => settled('of the second account');
      const { id } = await world.pay(client, payee, 6_000, 'its key');
      if ((await world.status(id)) === 'authorized') await world.drive(id);
      expect((await world.payout(id)).railKey).toBe(railKey);
      expect([await world.status(id), world.rail.calls.length]).toEqual(['authorized', 0]);
    },
  );
});

/** Accounts are asked about on a schedule, which is no client's: what is written of payees whom somebody holds waits in their client's share. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { onBehalf } from '#libs/db';
import { holding } from '#libs/db/testing';
import { PayabilityJob, UpsertPayee } from '#libs/payees';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';
import { ReleaseCleared } from './use-cases/release-cleared';

describe('while one client holds its payees, as a test client does that lets time pass', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  test('the schedules and two of its requests leave connections to others', async () => {
    const client = await world.client({ coolDownSeconds: 0, autoRelease: ['missing_name'] });
    const prefix = `due_${randomUUID()}`;
    // All are due, as after time passed for all of them; of payable ones and of others there is a run each.
    await world.db.execute(
      `WITH added AS (
         INSERT INTO payees (id, client_id, external_id, payable, kyc_status, onboarding_status)
         SELECT gen_random_uuid(), $1, $2 || '_' || n, false, 'pending', 'in_progress' FROM generate_series(1, 20) AS n
         RETURNING id, external_id, right(external_id, 1)::int % 2 = 0 AS even)
       INSERT INTO methods (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, status, ask_at)
       SELECT gen_random_uuid(), $1, id, 'custodial_a', external_id, false, even, 'active', now() - interval '1 day' FROM added`,
      [client.id, prefix],
    );
    for (let n = 1; n <= 20; n += 1) world.rail.accounts.set(`${prefix}_${n}`, PAYABLE);
    const payee = await world.payee(client);
    await world.db.execute('UPDATE payees SET name = NULL WHERE id = $1', [payee.id]);
    await world.pay(client, payee);
    await world.db.execute(`UPDATE payees SET name = 'Grace Hopper' WHERE id = $1`, [payee.id]);
    const others = [await world.payee(client), await world.payee(client)];

    const letGo = await onBehalf(client.id, () =>
      holding(world.db, 'SELECT FROM payees WHERE client_id = $1 FOR NO KEY UPDATE', [client.id]),
    );
    const waiting: Promise<unknown>[] = [
      world.get(PayabilityJob).onSchedule(),
      world.get(ReleaseCleared).run(),
      ...others.map(({ externalId }) =>
        onBehalf(client.id, () => world.get(UpsertPayee).run(client, { externalId, name: 'Ada King' })),
      ),
    ];
    await pause(2_000);
    const ofAnother = world.db.rows('SELECT 1').then(
      () => 'served',
      () => 'refused',
    );
    const outcome = await Promise.race([ofAnother, pause(3_000, 'still waits')]);
    await letGo();
    await Promise.allSettled([...waiting, ofAnother]);
    expect(outcome).toBe('served');
  }, 60_000);
});

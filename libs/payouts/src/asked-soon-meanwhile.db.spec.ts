/**
 * A rail refuses money for an account while an earlier answer about that account waits for its payee, whom somebody holds. Writing
 * that answer does not make it forgotten that the account is to be asked about soon.
 */
import type { Client } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import { PayabilityJob, ReadAccount } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('an account that is to be asked about soon', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());

  test('is, though an answer from before is written later', async () => {
    const payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    await world.db.execute(`UPDATE methods SET ask_at = now() - interval '1 second' WHERE payee_id = $1`, [payee.id]);
    const letGo = await holding(world.db, 'SELECT FROM payees WHERE id = $1 FOR UPDATE', [payee.id]);
    const run = world.get(PayabilityJob).onSchedule();
    await waitedFor(world.db, 'payees', 'id = $1', [payee.id]);
    // The rail refuses money for it.
    await world
      .get(ReadAccount)
      .askSoon({ id: '', payeeId: payee.id, provider: 'custodial_a', accountId: account, testMode: false });
    await letGo();
    await run;
    const row = await world.db.row<{ seconds: number }>(
      'SELECT extract(epoch FROM ask_at - now())::float8 AS seconds FROM methods WHERE payee_id = $1',
      [payee.id],
    );
    expect(row?.seconds).toBeLessThanOrEqual(0);
  });
});

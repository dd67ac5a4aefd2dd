/**
 * A rail refuses money for an account while an earlier answer about that account waits for its payee, whom somebody holds. That it was to be
 * asked about soon must not be forgotten by writing that answer.
 */
import type { Client } from '#libs/clients';
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
    let letGo: () => void = () => undefined;
    const mayGo = new Promise<void>((resolve) => (letGo = resolve));
    let isHeld: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (isHeld = resolve));
    const holding = world.db.inTransaction(async () => {
      await world.db.rows('SELECT FROM payees WHERE id = $1 FOR UPDATE', [payee.id]);
      isHeld();
      await mayGo;
    });
    await held;
    const run = world.get(PayabilityJob).onSchedule();
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%payees%'`;
    while ((await world.db.rows(waiting)).length === 0) await new Promise((goOn) => setTimeout(goOn, 20));
    // The rail refuses money for it.
    await world
      .get(ReadAccount)
      .askSoon({ id: '', payeeId: payee.id, provider: 'custodial_a', accountId: account, testMode: false });
    letGo();
    await Promise.all([holding, run]);
    const row = await world.db.row<{ seconds: number }>(
      'SELECT extract(epoch FROM ask_at - now())::float8 AS seconds FROM methods WHERE payee_id = $1',
      [payee.id],
    );
    expect(row?.seconds).toBeLessThanOrEqual(0);
  });
});

/**
 * Three clients whose rows are held for long, as by the clocks of test clients: of each a payout that is asked for waits, and news of
 * another. A fourth one, whose payee somebody holds for a moment, waits for none of them (ADR 45).
 */
import type { Client } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

interface Held {
  client: Client;
  payee: Payee;
  payout: Payout;
}

describe('what waits for clients whose rows are held', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
    world.rail.answers = () => accepted();
  });
  afterAll(() => world.stop());

  const underWay = async (): Promise<Held> => {
    const client = await world.client();
    const payee = await world.payee(client);
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    world.rail.knows.set(railKey, settled());
    return { client, payee, payout: await world.payout(id) };
  };

  test('keeps no other client’s payout waiting', async () => {
    const held = [await underWay(), await underWay(), await underWay()];
    const ids = held.map(({ client }) => client.id);
    const other = await world.client();
    const theirs = await world.payee(other);
    const letGo = await holding(world.db, HOLD, [ids]);
    const ended: string[] = [];
    const waiting = held.flatMap(({ client, payee, payout }) => [
      world.pay(client, payee).then(() => ended.push('made')),
      world
        .get(AskRail)
        .lookUp(payout)
        .then(() => ended.push('heard')),
    ]);
    world.later(Promise.allSettled(waiting));
    while ((await world.db.rows(WAITING)).length < ALL_BUT_THE_LAST); // which of them have a place is chance
    const free = await holding(world.db, 'SELECT FROM payees WHERE id = $1 FOR NO KEY UPDATE', [theirs.id]);
    const paid = world.pay(other, theirs);
    await waitedFor(world.db, 'payees', 'id = $1', [theirs.id]);
    await free();
    await paid;
    expect(ended).toEqual([]);
    await letGo();
    await Promise.all(waiting);
    for (const { payout } of held) expect((await world.payout(payout.id)).status).toBe('paid');
  });
});

/** Of the six places in which payouts wait for what somebody holds. */
const ALL_BUT_THE_LAST = 5;
const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

const HOLD = `
  SELECT FROM payees JOIN payouts ON payouts.payee_id = payees.id WHERE payees.client_id = ANY($1) FOR NO KEY UPDATE`;

import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { RecoverPayouts } from './jobs/recover-payouts';
import { accepted, type MoneyWorld, settled, startMoneyWorld, thenDo } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

describe('payouts whose job is gone', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
    payee = await world.payee(client);
  });
  afterAll(() => world.stop());

  const jobs = (id: string) =>
    world.db.rows(`SELECT name, run_at <= now() AS due FROM jobs WHERE entity_id = $1`, [id]);
  const lose = (id: string) => world.db.execute('DELETE FROM jobs WHERE entity_id = $1', [id]);
  const old = (id: string) =>
    world.db.execute(`UPDATE payouts SET updated_at = now() - interval '31 seconds' WHERE id = $1`, [id]);

  test('get one again, whether they wait to be sent or for an answer', async () => {
    const waiting = await world.pay(client, payee);
    const sent = await world.pay(client, payee);
    world.rail.answers = () => accepted();
    await world.drive(sent.id);
    const fresh = await world.pay(client, payee);
    for (const { id } of [waiting, sent, fresh]) await lose(id);
    for (const { id } of [waiting, sent]) await old(id);
    expect(await world.get(RecoverPayouts).recover()).toBe(2);
    expect(await jobs(waiting.id)).toEqual([{ name: 'payout.drive', due: true }]);
    expect(await jobs(sent.id)).toEqual([{ name: 'payout.drive', due: false }]);
    // What changed a moment ago may be in somebody's hands.
    expect(await jobs(fresh.id)).toEqual([]);
    expect(await world.get(RecoverPayouts).recover()).toBe(0);
  });

  test('go on from where they were', async () => {
    const { id } = await world.pay(client, payee);
    await lose(id);
    await old(id);
    await world.get(RecoverPayouts).recover();
    world.rail.answers = () => accepted('after all');
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', providerRef: 'after all', attempt: 1 });
  });

  test('that are paid and have to be pulled back get one too, and those with which nothing is to be done do not', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.says({ first: thenDo('payout'), payout: settled() });
    for (let n = 0; n < 2; n += 1) await world.drive(id);
    await lose(id);
    await old(id);
    expect(await world.get(RecoverPayouts).recover()).toBe(0);
    world.rail.knows.set(railKey, thenDo('pull_back'));
    await world.get(AskRail).lookUp(await world.payout(id));
    await lose(id);
    await old(id);
    expect(await world.get(RecoverPayouts).recover()).toBe(1);
    expect(await jobs(id)).toEqual([{ name: 'payout.drive', due: true }]);
    world.rail.says({ pull_back: accepted() });
    await world.drive(id);
    await lose(id);
    await old(id);
    expect(await world.get(RecoverPayouts).recover()).toBe(0);
  });

  test('that are paid and have to be pulled back once more, though that was answered before, get one too', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.says({ first: thenDo('payout'), payout: settled(), pull_back: accepted() });
    for (let n = 0; n < 2; n += 1) await world.drive(id);
    world.rail.knows.set(railKey, thenDo('pull_back'));
    await world.get(AskRail).lookUp(await world.payout(id));
    await world.drive(id);
    await world.get(AskRail).lookUp(await world.payout(id));
    expect((await world.payout(id)).legs.at(-1)).toMatchObject({ name: 'pull_back', toSend: true, said: 'accepted' });
    await lose(id);
    await old(id);
    expect(await world.get(RecoverPayouts).recover()).toBe(1);
    expect(await jobs(id)).toEqual([{ name: 'payout.drive', due: true }]);
  });
});

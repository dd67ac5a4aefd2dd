/** A payout that waits for its payee is judged by what its client allows when it comes to its gates, not when it came. */
import { randomUUID } from 'node:crypto';
import { type Client, ClientRegistry } from '#libs/clients';
import { holding, waitedFor } from '#libs/db/testing';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { CreateBatch } from './use-cases/create-batch';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('what a client allows, changed while a payout waits for its payee', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    payee = await world.payee(client);
  });
  afterAll(() => world.stop());

  /** Without a word to this process, as when the word was lost: it may use what it read before for a while. */
  const set = (field: string, value: unknown) =>
    world.db.execute(`UPDATE clients SET ${field} = $2 WHERE id = $1`, [client.id, value]);
  const whileHeld = async (work: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> => {
    await world.get(ClientRegistry).byId(client.id);
    const letGo = await holding(world.db, 'SELECT FROM payees WHERE id = $1 FOR NO KEY UPDATE', [payee.id]);
    const done = work();
    await Promise.race([waitedFor(world.db, 'payees', 'id = $1', [payee.id]), done]);
    await change();
    await letGo();
    await done;
  };
  const last = async (): Promise<[string, string | undefined]> => {
    const found = await world.db.row<{ status: string; statusReason: string | null }>(
      'SELECT status, status_reason FROM payouts WHERE client_id = $1 ORDER BY id DESC LIMIT 1',
      [client.id],
    );
    return [found?.status ?? 'none', found?.statusReason?.split(':')[0]];
  };

  /** Each makes what has to be there already, and returns what is done while the payee is held. */
  const WAYS: Record<string, () => Promise<() => Promise<unknown>>> = {
    created: () => Promise.resolve(() => world.pay(client, payee)),
    'made by a batch': () => {
      const row = { payeeId: payee.id, amountCents: 1_000, currency: 'USD' };
      return Promise.resolve(() => world.get(CreateBatch).run(client, randomUUID(), [row]));
    },
    released: async () => {
      const { id } = await world.pay(client, payee, 60);
      const payout = await world.payout(id);
      return () => world.get(RemedyPayout).release(payout, 'operator');
    },
    'tried again': async () => {
      world.rail.answers = () => refused('funding');
      const { id } = await world.pay(client, payee);
      await world.drive(id);
      const payout = await world.payout(id);
      world.rail.knows.set(payout.railKey, refused('funding'));
      return () => world.get(RemedyPayout).retry(payout, 'operator');
    },
    'swept after a day': async () => {
      await set('caps', { dailyCents: 500 });
      const limited = { ...client, caps: { dailyCents: 500 } };
      const { id } = await world.pay(limited, payee);
      await set('caps', {});
      await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '2 days' WHERE id = $1`, [id]);
      return () => world.get(SelfReleaseJobs).release();
    },
  };
  const CHANGES: [string, string, unknown, string][] = [
    ['a cap is lowered', 'caps', { singleCents: 50 }, 'cap_exceeded_single'],
    ['the client becomes prepaid', 'prepaid', true, 'insufficient_funds'],
    ['another rail is all it may use', 'rail_allow_list', ['at_once'], 'rail_not_allowed'],
  ];

  test.each(Object.keys(WAYS).flatMap((way) => CHANGES.map((change) => [way, ...change] as const)))(
    'counts for one that is %s: %s',
    async (way, _, field, value, reason) => {
      const work = await (WAYS[way] as () => Promise<() => Promise<unknown>>)();
      await whileHeld(work, () => set(field, value));
      expect(await last()).toEqual(['held', reason]);
    },
  );

  test('counts for those below a floor that is raised again', async () => {
    await set('floors', { claim_rail: 2_000 });
    client = { ...client, floors: { claim_rail: 2_000 } };
    await world.pay(client, payee);
    await set('floors', { claim_rail: 500 });
    world.get(ClientRegistry).changed(client.id);
    await whileHeld(
      () => world.get(SelfReleaseJobs).sweep(),
      () => set('floors', { claim_rail: 2_000 }),
    );
    expect(await last()).toEqual(['held', 'below_min_payout']);
  });

  test('counts the other way round: what it allows by now goes on', async () => {
    await set('prepaid', true);
    client = { ...client, prepaid: true };
    await whileHeld(
      () => world.pay(client, payee),
      () => set('prepaid', false),
    );
    expect(await last()).toEqual(['authorized', undefined]);
  });
});

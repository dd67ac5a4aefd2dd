/** Routing changes while a process that makes a payee, or changes one, stands still before its commit. */
import type { Client } from '#libs/clients';
import { ChangeRoutes, type Payee, PayeeReads } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

const AGED = `UPDATE jobs SET created_at = created_at - interval '2 minutes' WHERE name = 'payees.resolve' AND entity_id = $1`;

describe('a payee that is made while routing changes', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const routesAre = (rails: string[]): Promise<unknown> =>
    world.get(ChangeRoutes).run(() => [{ country: 'AT', rails, blocked: false }]);
  const workLeft = async ({ id }: Client): Promise<boolean> =>
    (await world.db.row(`SELECT 1 FROM jobs WHERE name = 'payees.resolve' AND entity_id = $1`, [id])) !== null;
  const resolve = (client: Client): Promise<void> => world.work('payees.resolve', client.id);
  /** As a minute later. */
  async function resolveOnceMore(client: Client): Promise<void> {
    await world.db.execute(AGED, [client.id]);
    await resolve(client);
    expect(await workLeft(client)).toBe(false);
  }

  test('resolves to the rail that serves its country by now', async () => {
    const client = await world.client();
    await routesAre(['custodial_a']);
    await resolveOnceMore(client);
    let goOn = (): void => undefined;
    const made = new Promise<void>((isMade) => {
      const stands = new Promise<void>((resolve) => (goOn = resolve));
      world.later(
        world.db.inTransaction(async () => {
          await world.payee(client, { externalId: 'late', country: 'AT' });
          isMade();
          await stands;
        }),
      );
    });
    await made;
    await routesAre(['claim_rail']);
    await resolve(client);
    goOn();
    let payee: Payee | undefined;
    while (!payee) [payee] = await world.get(PayeeReads).page(client.id, await world.db.moment(), null, 10);
    await resolveOnceMore(client);
    const { provider, payable } = (await world.get(PayeeReads).find(client.id, payee.id)) as Payee;
    expect({ provider, payable }).toEqual({ provider: 'claim_rail', payable: true });
  });
});

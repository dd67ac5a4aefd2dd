/**
 * A client's settings were changed by another process, whose signal is still on its way, or was lost with it: the job that resolves the
 * client's payees again is found in the database all the same, by the next poll.
 */
import { type Client, ClientRegistry } from '#libs/clients';
import { ChangeRoutes, type Payee, PayeeReads } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';

describe('payees whose client was changed by another process', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
    const routes = [{ country: 'AT', rails: ['custodial_a', 'claim_rail'], blocked: false }];
    await world.get(ChangeRoutes).run(() => routes);
  });
  afterAll(() => world.stop());

  /** As `KeepClients` does there, in one transaction. */
  async function changedElsewhere({ id }: Client, railAllowList: string[]): Promise<void> {
    await world.db.inTransaction(async () => {
      await world.db.execute('UPDATE clients SET rail_allow_list = $2 WHERE id = $1', [id, railAllowList]);
      await world.db.execute(
        `INSERT INTO jobs (name, entity_id, lane) VALUES ('payees.resolve', $1::uuid, $1::uuid::text)`,
        [id],
      );
    });
  }
  const heard = ({ id }: Client): void => world.get(ClientRegistry).changed(id);
  const workLeft = async ({ id }: Client): Promise<boolean> =>
    (await world.db.row(`SELECT 1 FROM jobs WHERE name = 'payees.resolve' AND entity_id = $1`, [id])) !== null;
  const standing = async (client: Client, { id }: Payee): Promise<Partial<Payee>> => {
    const { provider, payable } = (await world.get(PayeeReads).find(client.id, id)) as Payee;
    return { provider, payable };
  };

  async function resolved(client: Client): Promise<void> {
    await world.work('payees.resolve', client.id);
    heard(client);
    while (await workLeft(client)) await world.work('payees.resolve', client.id);
  }

  test('can be paid over a rail that it allows since', async () => {
    const client = await world.client({ railAllowList: ['custodial_a'] });
    const payee = await world.payee(client, { country: 'AT' });
    expect(await standing(client, payee)).toEqual({ provider: 'custodial_a', payable: false });
    await world.get(ClientRegistry).byId(client.id); // as for any job of it
    await changedElsewhere(client, ['claim_rail']);
    await resolved(client);
    expect(await standing(client, payee)).toEqual({ provider: 'claim_rail', payable: true });
  });

  test('are not called payable over a rail that it allows no more', async () => {
    const client = await world.client({ railAllowList: ['claim_rail'] });
    const payee = await world.payee(client, { country: 'AT' });
    expect(await standing(client, payee)).toEqual({ provider: 'claim_rail', payable: true });
    await world.get(ClientRegistry).byId(client.id);
    await changedElsewhere(client, ['custodial_a']);
    await resolved(client);
    expect(await standing(client, payee)).toEqual({ provider: 'custodial_a', payable: false });
  });

  test('are as they should be where the signal comes first', async () => {
    const client = await world.client({ railAllowList: ['custodial_a'] });
    const payee = await world.payee(client, { country: 'AT' });
    await world.get(ClientRegistry).byId(client.id);
    await changedElsewhere(client, ['claim_rail']);
    heard(client);
    await resolved(client);
    expect(await standing(client, payee)).toEqual({ provider: 'claim_rail', payable: true });
  });
});

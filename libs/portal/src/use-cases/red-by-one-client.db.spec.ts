/**
 * ADR 31: one caller takes no process out of service. While a client's rows are held for long, as by its own test clock (half a minute for
 * fifty thousand payouts, ADR 69), whatever else it asks for waits for them, each in a statement of its own.
 */
import { type Client, KeepClients } from '#libs/clients';
import { onBehalf } from '#libs/db';
import { holding } from '#libs/db/testing';
import { EventBook } from '#libs/events';
import { LockPayees, type Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';

describe('a client whose rows are held', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let another: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ eventTypes: ['payee.updated'] });
    payee = await world.payee(client);
    another = await world.payee(client);
  });
  let letGo: (() => Promise<unknown>) | undefined;
  afterAll(async () => {
    await letGo?.();
    await world.stop();
  });

  test('is told so, and turns nobody’s readiness red by asking for four things', async () => {
    const event = await world.db.row<{ id: string }>('SELECT id FROM events WHERE client_id = $1 LIMIT 1', [client.id]);
    letGo = await holding(
      world.db,
      `SELECT FROM clients JOIN payees ON payees.client_id = clients.id JOIN events ON events.client_id = clients.id
       WHERE clients.id = $1 FOR NO KEY UPDATE`,
      [client.id],
    );
    const requests: (() => Promise<unknown>)[] = [
      // POST /api/v1/payees
      () => world.payee(client, { externalId: payee.externalId, name: 'Ada King' }),
      // POST /api/v1/payees/{id}/portal-link, and whatever else holds one payee
      () => world.get(LockPayees).with([another.id], () => Promise.resolve()),
      // PUT /api/v1/webhook, POST /api/v1/keys
      () => world.db.inTransaction(() => world.get(KeepClients).change(client.id, { eventTypes: ['payout.status'] })),
      // POST /api/v1/events/{id}/replay
      () => world.get(EventBook).startOver(event?.id ?? ''),
    ];
    const answers = await Promise.all(
      requests.map((request) =>
        onBehalf(client.id, request).then(
          () => 'done',
          (error: Error) => (error as Error & { kind?: string }).kind,
        ),
      ),
    );
    expect(answers).toEqual(requests.map(() => 'timeout'));
    expect(world.db.recentTrouble.isWorthALook()).toBe(true);
    expect(world.db.recentTrouble.latest()).toBeNull();
  }, 60_000);
});

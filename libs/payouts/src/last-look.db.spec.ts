/** What changes between a payout's authorization and its sending: a block, a client, an account, an address. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { BlockPayee, ChangeRoutes, type Payee, PayabilityJob, RouteReads, UpsertPayee } from '#libs/payees';
import { ResumePayouts } from './use-cases/resume-payouts';
import { RemedyPayout } from './use-cases/remedy-payout';
import { accepted, type MoneyWorld, PAYABLE, refused, startMoneyWorld } from '../testing/src';

const NOT_PAYABLE = { ...PAYABLE, payable: false } as typeof PAYABLE;

describe('sending looks again', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    payee = await world.payee(client);
    world.rail.answers = () => accepted();
  });

  const block = (blocked: boolean) => world.get(BlockPayee).run(payee.id, blocked, 'sanctions');
  const expectHeld = async (id: string, reason: string): Promise<void> => {
    const payout = await world.payout(id);
    expect([payout.status, payout.failureKind, payout.statusReason?.split(':')[0]]).toEqual([
      'held',
      'transient',
      reason,
    ]);
    expect(world.rail.calls).toEqual([]);
  };

  test('a payee that was blocked since is not paid', async () => {
    const { id } = await world.pay(client, payee);
    await block(true);
    await world.drive(id);
    await expectHeld(id, 'route_blocked');
    await block(false);
    await world.get(RemedyPayout).release(await world.payout(id), 'operator');
    await world.drive(id);
    expect(await world.status(id)).toBe('submitted');
  });

  test('nor one whose country was blocked', async () => {
    const { id } = await world.pay(client, payee);
    const rows = await world.get(RouteReads).rows();
    await world.get(ChangeRoutes).run(() => rows.map((row) => ({ ...row, blocked: row.country === 'DE' })));
    await world.drive(id);
    await expectHeld(id, 'route_blocked');
    await world.get(ChangeRoutes).run(() => rows);
  });

  test('the payouts of a client that was closed are held', async () => {
    const { id } = await world.pay(client, payee);
    await world.setStatus(client, 'closed');
    await world.drive(id);
    await expectHeld(id, 'route_blocked');
    await expect(world.get(RemedyPayout).release(await world.payout(id), 'operator')).resolves.toMatchObject({
      status: 'held',
    });
  });

  test('those of a client that was suspended wait as they are, and go on when it is active again', async () => {
    const { id } = await world.pay(client, payee);
    await world.setStatus(client, 'suspended');
    await world.drive(id);
    expect(await world.status(id)).toBe('authorized');
    expect(world.rail.calls).toEqual([]);
    await expect(world.get(RemedyPayout).retry(await world.payout(id), 'operator')).rejects.toThrow('suspended');
    await world.setStatus(client, 'active');
    await world.db.execute(`UPDATE jobs SET lease_token = NULL, run_at = now() + interval '1 hour'`);
    await world
      .get(ResumePayouts)
      .resume(client.id, 1, { entityId: client.id, version: 1, createdAt: systemClock.now() });
    expect(await world.db.rows(`SELECT FROM jobs WHERE entity_id = $1 AND run_at <= now()`, [id])).toHaveLength(1);
    await world.drive(id);
    expect(await world.status(id)).toBe('submitted');
  });

  test('an account that stopped being payable gets nothing', async () => {
    payee = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.accounts.set(account, NOT_PAYABLE);
    await world.db.execute(`UPDATE methods SET ask_at = now()`);
    await world.get(PayabilityJob).now();
    await world.drive(id);
    await expectHeld(id, 'not_payable');
  });

  test('what a worker may have sent before it slept finishes, whoever is blocked since', async () => {
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    await world.drive(id);
    await block(true);
    // Never seen so far, but the call may still arrive: nothing is sent, and nothing is held.
    await world.drive(id);
    expect([await world.status(id), world.rail.calls.length]).toEqual(['submitted', 1]);
    world.rail.knows.set((await world.payout(id)).railKey, accepted());
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
  });

  test('what never arrived is held once no call can be under way', async () => {
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    await world.drive(id);
    await block(true);
    await world.age(id, 60);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'held', openAttempts: [] });
    expect(world.rail.calls).toHaveLength(1);
  });

  test('a retry that waits for its worker is held too', async () => {
    const { id, railKey } = await world.pay(client, payee);
    world.rail.answers = () => refused();
    await world.drive(id);
    world.rail.knows.set(railKey, refused());
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    await block(true);
    await world.drive(id);
    expect(await world.status(id)).toBe('held');
    expect(world.rail.calls).toHaveLength(1);
  });

  test('what a payout pays to is fixed when it is authorized, and the same on every try', async () => {
    const { id, railKey } = await world.pay(client, payee);
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com', name: 'Eve' });
    await world.db.execute(`UPDATE clients SET name = 'Umbrella' WHERE id = $1`, [client.id]);
    world.rail.answers = () => refused();
    await world.drive(id);
    world.rail.knows.set(railKey, refused());
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    await world.drive(id);
    const [first, again] = world.rail.calls.map(({ order }) => order);
    expect(first?.payee).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace', country: 'DE' });
    expect(first?.payerName).toBe('Acme');
    expect([again, ...world.rail.asked]).toEqual([first, first]);
    const later = await world.pay(client, payee);
    await world.drive(later.id);
    expect(world.rail.calls[2]?.order.payee).toMatchObject({ email: 'eve@example.com', name: 'Eve' });
    // The client as this process knew it is older than that.
    expect([client.name, world.rail.calls[2]?.order.payerName]).toEqual(['Acme', 'Umbrella']);
  });

  test('one that was held before it was ever sent takes the destination of its release', async () => {
    const missing = await world.payee(client, { email: null });
    const { id } = await world.pay(client, missing);
    expect(await world.status(id)).toBe('held');
    await world.get(UpsertPayee).run(client, { externalId: missing.externalId, email: 'late@example.com' });
    await world.get(RemedyPayout).release(await world.payout(id), 'client');
    await world.drive(id);
    expect(world.rail.calls[0]?.order.payee.email).toBe('late@example.com');
  });

  test('one whose country was blocked, although the payee moved to another since', async () => {
    const moved = await world.payee(client, { country: 'IT' });
    const { id } = await world.pay(client, moved);
    const block = (blocked: boolean) =>
      world.db.execute(`UPDATE routes SET blocked = $1 WHERE country = 'IT'`, [blocked]);
    await block(true);
    await world.payee(client, { country: 'DE', externalId: moved.externalId });
    world.rail.answers = () => accepted();
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'held', attempt: 0 });
    await block(false);
  });

  test('the account of one rail says nothing about that of another with the same id', async () => {
    const french = await world.payee(client, { country: 'FR' });
    const account = await world.adopt(client, french);
    const { id } = await world.pay(client, french);
    await world.db.execute(`UPDATE methods SET payable = false, status = 'replaced' WHERE provider_account_id = $1`, [
      account,
    ]);
    await world.db.execute(
      `INSERT INTO methods (id, client_id, payee_id, provider, provider_account_id, test_mode, payable, status)
       SELECT gen_random_uuid(), client_id, payee_id, 'custodial_b', provider_account_id, test_mode, true, 'active'
       FROM methods WHERE provider_account_id = $1`,
      [account],
    );
    world.rail.accounts.set(account, NOT_PAYABLE); // the one that it pays to is read once more
    world.rail.answers = () => accepted();
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'held', attempt: 0 });
  });
});

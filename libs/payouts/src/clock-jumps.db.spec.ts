/** The clock of a machine is set again, or is wrong: no call counts as over for that, and nobody's cool-down. */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { systemClock } from '#libs/domain';
import { AdoptMethod, type Payee, UpsertPayee } from '#libs/payees';
import { accepted, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';

describe('a clock that jumps forward', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 3_600 });
    payee = await world.payee(client);
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());
  afterEach(() => jest.restoreAllMocks());

  /** The database is not asked for the time until the spec says so. */
  const jump = (seconds: number): void => {
    jest.spyOn(world.get(DatabaseClock), 'set').mockReturnValue(undefined);
    const now = systemClock.now.bind(systemClock);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(now().getTime() + seconds * 1_000));
  };
  /** Who they are changed a moment ago; the returned function sends their money elsewhere. */
  const redirected = async (): Promise<() => Promise<unknown>> => {
    const known = await world.payee(client);
    const { id, externalId, name, country } = known;
    await world.adopt(client, known);
    await world.get(UpsertPayee).run(client, { externalId, name, country, email: 'mallory@example.com' });
    const account = { provider: 'custodial_a', providerAccountId: `acct_${id}` };
    return () => world.get(AdoptMethod).run(client, id, account);
  };
  const COOLING = { code: 'payee_cooling_down' };

  test('a refusal is not the last word while another call is under way', async () => {
    const { id } = await world.pay(client, payee);
    const first = world.drive(id);
    const call = await world.rail.call(1);
    const second = world.drive(id);
    const refusal = await world.rail.call(2);
    jump(60);
    refusal.answer(refused());
    await second;
    expect(await world.status(id)).toBe('submitted');
    call.answer(accepted());
    await first;
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
  });

  test('whoever takes a send on then makes no call, and leaves nothing that counts as under way for as long', async () => {
    const { id } = await world.pay(client, payee);
    jump(3_600);
    await world.drive(id);
    expect(world.rail.calls).toEqual([]);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', openAttempts: [] });
    jest.restoreAllMocks();
    world.rail.answers = () => refused();
    await world.drive(id);
    expect(await world.status(id)).toBe('failed');
  });

  test('what a rail says of an account later counts', async () => {
    const adopted = await world.payee(client);
    jump(3_600);
    await world.adopt(client, adopted);
    const dated = await world.db.row('SELECT FROM methods WHERE payee_id = $1 AND asked_at <= now()', [adopted.id]);
    expect(dated).not.toBeNull();
  });

  test('a cool-down is not over', async () => {
    const adopt = await redirected();
    jump(2 * 3_600);
    await expect(adopt()).rejects.toMatchObject(COOLING);
  });

  test('nor is it where the clock is wrong for good, and the database has told the time', async () => {
    const adopt = await redirected();
    const now = systemClock.now.bind(systemClock);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(now().getTime() + 2 * 3_600_000));
    const asked = world.get(DatabaseClock).reading();
    const row = await world.db.row<{ now: Date }>('SELECT clock_timestamp() AS now');
    world.get(DatabaseClock).set(row?.now as Date, asked);
    await expect(adopt()).rejects.toMatchObject(COOLING);
  });
});

/** ADR 79, 80: for all payees of a client together, pages ask its rail so often a minute, and no page that is looked at stops a click. */
import type { Client } from '#libs/clients';
import { type MoneyWorld, PAYABLE, startMoneyWorld, waits } from '#libs/payouts/testing';
import { Rails } from '#libs/rail-registry';
import { PortalModule } from '../portal.module';
import { ChooseDestination } from './choose-destination';
import { PageChecks } from './page-checks';
import { ReadWallet } from './read-wallet';
import type { ClaimVisit } from './visit-claim';
import { visitOf } from './wallets-open.fake';

const A_MINUTE = 5;
/** The minute may change once meanwhile. */
const AT_MOST = 2 * A_MINUTE;
const TIMES = 10;

describe('the rail of a client whose payees look at their money', () => {
  let world: MoneyWorld;
  let client: Client;
  let addresses = 0;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    const checkDestination = async (_: unknown, entered: string) => {
      addresses += 1;
      return { kind: 'taken', destination: entered };
    };
    Object.assign(world.rail, { checkDestination });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    addresses = 0;
    client = await world.client({ rateLimitPerMinute: A_MINUTE });
  });

  const waiting = async (name: string): Promise<ClaimVisit> => {
    const payee = await world.payee(client, { country: 'IT', email: `${name}@example.com` });
    world.rail.answers = () => waits();
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    world.rail.knows.set(railKey, waits());
    return visitOf(world, client, payee, id);
  };
  const enter = async (name: string): Promise<void> => {
    const visit = await waiting(name);
    for (let time = 0; time < TIMES; time += 1) await world.get(ChooseDestination).check(visit, `wallet-${time}`);
  };

  test('is asked about addresses no more often than the client may ask us, for others have some to enter as well', async () => {
    for (const name of ['ada', 'bob', 'eve', 'joe']) await enter(name);
    expect(addresses).toBeGreaterThan(0);
    expect(addresses).toBeLessThanOrEqual(AT_MOST);
  });

  test('says nothing more of addresses then, and takes the click all the same that sends the money on', async () => {
    await enter('ada');
    const visit = await waiting('bob');
    const chosen = await Promise.all(
      Array.from({ length: TIMES }, (_, time) => world.get(ChooseDestination).check(visit, `wallet-${time}`)),
    );
    expect(chosen).toContainEqual({ kind: 'later' });
    expect(await world.get(ChooseDestination).begin(visit, 'wallet-of-bob')).toMatchObject({ kind: 'taken' });
  });

  test('is asked what arrives no more often, while its provider is away', async () => {
    let asked = 0;
    const arrivesAs = async () => {
      asked += 1;
      return { kind: 'unknown', detail: 'its provider is away' };
    };
    Object.assign(world.rail, { arrivesAs });
    for (const name of ['ada', 'bob', 'eve', 'joe']) {
      const visit = await waiting(name);
      for (let time = 0; time < TIMES; time += 1)
        expect(await world.get(ChooseDestination).arrivesAs(visit)).toBeNull();
    }
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(AT_MOST);
  });

  test('hears of clicks that send money on no more often either', async () => {
    const visit = await waiting('ada');
    const chosen: string[] = [];
    for (let time = 0; time < TIMES; time += 1)
      chosen.push((await world.get(ChooseDestination).begin(visit, `wallet-${time}`)).kind);
    expect(chosen[0]).toBe('taken');
    expect(chosen).toContain('later');
    expect(addresses).toBeLessThanOrEqual(AT_MOST);
  });

  test('is asked no more often whether they were checked, and not about who need not be', async () => {
    const traits = world.get(Rails).traits('swap_rail');
    Object.assign(traits ?? {}, { checksPayees: 'on_request' });
    const visit = await waiting('ada');
    expect(await world.get(PageChecks).standing(visit)).toEqual({ kind: 'cleared' });
    expect(world.rail.checks).toBe(0);
    await world.wants(client, true);
    const kinds: string[] = [];
    const checked = { ...visit, checksFirst: true };
    for (let time = 0; time < TIMES; time += 1) kinds.push((await world.get(PageChecks).standing(checked)).kind);
    Object.assign(traits ?? {}, { checksPayees: undefined });
    expect(kinds[0]).toBe('cleared');
    expect(kinds).toContain('unknown');
    expect(world.rail.checks).toBeLessThanOrEqual(AT_MOST);
  });

  test('is asked by wallets no more often how an account stands, and never while nothing is paid for its client', async () => {
    const payee = await world.payee(client, { country: 'FR', email: 'ada@example.com' });
    const account = `acct_${payee.id}`;
    world.rail.accounts.set(account, { ...PAYABLE, payable: false, kyc: 'pending' } as typeof PAYABLE);
    await world.adopt(client, payee, account);
    const look = async (of: Client): Promise<number> => {
      world.rail.accountsRead = [];
      for (let time = 0; time < TIMES; time += 1) await world.get(ReadWallet).run({ client: of, payee });
      return world.rail.accountsRead.length;
    };
    expect(await look({ ...client, status: 'suspended' })).toBe(0);
    const read = await look(client);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(AT_MOST);
  });
});

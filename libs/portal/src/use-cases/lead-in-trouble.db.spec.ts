/** The database has no time for what a click writes of a gift that is about to be handed over, or for the job that tells of it. */
import type { Client } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { RailHints } from '#libs/rail-registry';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import type { ClaimVisit } from './visit-claim';
import { visitOf } from './wallets-open.fake';

describe('a click that leads a payee to their gift, while the database has trouble', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let handsOver: () => Promise<void>;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    Object.assign(world.rail, {
      payeeLink: async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' }),
      handedOver: () => handsOver(),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  const visit = async (): Promise<ClaimVisit> => {
    payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    return visitOf(world, client, payee, id);
  };
  const notes = async (key: string): Promise<void> => {
    await world.db.execute(`INSERT INTO rail_records (rail, key, value) VALUES ('gift_rail', $1, '{}')`, [key]);
  };
  /** 57014, as of any statement that a busy database has no time for. */
  const takesTooLong = async (): Promise<void> => {
    await world.db.execute("SET LOCAL statement_timeout = '20ms'");
    await world.db.execute('SELECT pg_sleep(1)');
  };

  test('is told to try again, as whoever meets trouble of the database is', async () => {
    handsOver = takesTooLong;
    const led = await world
      .get(LeadPayee)
      .run(await visit())
      .catch((thrown: unknown) => (thrown instanceof DatabaseTrouble ? null : thrown));
    expect(led).toBeNull();
  });

  test('leads there though nobody can be told of it now: that is found out when the payout is asked about next', async () => {
    handsOver = () => notes('handed_over:gift-1');
    jest.spyOn(world.get(RailHints), 'hint').mockImplementation(() => world.db.inTransaction(() => takesTooLong()));
    const led = await world
      .get(LeadPayee)
      .run(await visit())
      .catch((thrown: unknown) => thrown);
    expect(led).toBe('https://gifts.example/1');
    expect(await world.db.rows(`SELECT key FROM rail_records WHERE key = 'handed_over:gift-1'`)).toHaveLength(1);
  });
});

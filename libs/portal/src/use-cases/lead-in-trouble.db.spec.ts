/** The database has no time for what a click writes of a gift that is about to be handed over, or for the job that tells of it. */
import { digest } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { RailHints } from '#libs/rail-registry';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalAccess } from '../db/portal-access.store';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import { type ClaimVisit, VisitClaim } from './visit-claim';
import { type Visitor, VisitPortal } from './visit-portal';

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

  const visitor = async (): Promise<Visitor> => {
    const { token } = await world.get(PortalAccess).addLink({ clientId: client.id, payeeId: payee.id }, false);
    const kept = (await world.get(VisitPortal).open(token)) as string;
    const [session] = await world.get(PortalAccessReads).sessions([digest(kept)]);
    return (await world.get(VisitPortal).visitor(session as never)) as Visitor;
  };
  const visit = async (): Promise<ClaimVisit> => {
    payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const own = await world.get(VisitClaim).own(await visitor(), id);
    if (!own) throw new Error('There is no such payment.');
    return own;
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

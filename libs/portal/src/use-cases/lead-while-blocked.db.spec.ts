/** An operator blocks a payee while their click, which looked at them a moment before, is about to hand a link to their gift over. */
import { digest } from '#libs/domain';
import type { Client } from '#libs/clients';
import { type Payee, PayeeReads } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalAccess } from '../db/portal-access.store';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import { VisitClaim } from './visit-claim';
import { type Visitor, VisitPortal } from './visit-portal';

describe('a click that leads a payee to their gift', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let handedOver: string[];
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    Object.assign(world.rail, {
      payeeLink: async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' }),
      handedOver: async (_: object, of: string) => void handedOver.push(of),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());
  beforeEach(() => void (handedOver = []));

  const visitor = async (): Promise<Visitor> => {
    const { token } = await world.get(PortalAccess).addLink({ clientId: client.id, payeeId: payee.id }, false);
    const kept = (await world.get(VisitPortal).open(token)) as string;
    const [session] = await world.get(PortalAccessReads).sessions([digest(kept)]);
    return (await world.get(VisitPortal).visitor(session as never)) as Visitor;
  };
  const blocks = () => world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);

  test.each([
    ['leads there who is not blocked', false],
    ['leads nobody there who was blocked after their click looked at them last, and before anything was handed over', true],
  ])('%s', async (_, isBlocked) => {
    payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const visit = await world.get(VisitClaim).own(await visitor(), id);
    if (!visit) throw new Error('There is no such payment.');
    const reads = world.get(PayeeReads);
    const find = reads.find.bind(reads);
    let looks = 0;
    jest.spyOn(reads, 'find').mockImplementation(async (...asked) => {
      const found = await find(...asked);
      // Its process stands still once it looked for the last time.
      looks += 1;
      if (isBlocked && looks === 2) await blocks();
      return found;
    });
    const led = await world.get(LeadPayee).run(visit);
    expect({ led, handedOver }).toEqual(
      isBlocked ? { led: null, handedOver: [] } : { led: 'https://gifts.example/1', handedOver: ['gift-1'] },
    );
  });
});

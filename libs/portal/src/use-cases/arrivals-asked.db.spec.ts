/** What arrives, and on which network, is asked with every page on which an address is entered, as long as the rail cannot say. */
import { digest } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalAccess } from '../db/portal-access.store';
import { PortalModule } from '../portal.module';
import { ChooseDestination } from './choose-destination';
import { type ClaimVisit, VisitClaim } from './visit-claim';
import { type Visitor, VisitPortal } from './visit-portal';

const A_MINUTE = 5;
/** The minute may change once meanwhile. */
const AT_MOST = 2 * A_MINUTE;
const TIMES = 10;

describe('the rail of a client whose payees look at the page for an address', () => {
  let world: MoneyWorld;
  let client: Client;
  let asked = 0;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    const arrivesAs = async () => {
      asked += 1;
      return { kind: 'unknown', detail: 'its provider is away' };
    };
    Object.assign(world.rail, { arrivesAs });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    asked = 0;
    client = await world.client({ rateLimitPerMinute: A_MINUTE });
  });

  const visitor = async (payee: Payee): Promise<Visitor> => {
    const { token } = await world.get(PortalAccess).addLink({ clientId: client.id, payeeId: payee.id }, false);
    const kept = (await world.get(VisitPortal).open(token)) as string;
    const [session] = await world.get(PortalAccessReads).sessions([digest(kept)]);
    return (await world.get(VisitPortal).visitor(session as never)) as Visitor;
  };
  const waiting = async (name: string): Promise<ClaimVisit> => {
    const payee = await world.payee(client, { country: 'IT', email: `${name}@example.com` });
    world.rail.answers = () => waits();
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    world.rail.knows.set(railKey, waits());
    const visit = await world.get(VisitClaim).own(await visitor(payee), id);
    if (!visit) throw new Error('There is no such payment.');
    return visit;
  };
  test('is asked no more often than the client may ask us while its provider is away', async () => {
    for (const name of ['ada', 'bob', 'eve', 'joe']) {
      const visit = await waiting(name);
      for (let time = 0; time < TIMES; time += 1) expect(await world.get(ChooseDestination).arrivesAs(visit)).toBeNull();
    }
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(AT_MOST);
  });
});

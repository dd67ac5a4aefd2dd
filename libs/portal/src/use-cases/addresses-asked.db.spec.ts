/** ADR 79, 80: for all payees of a client together, pages ask its rail as often a minute as the client itself may ask us. */
import { digest } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalAccessReads } from '../db/portal-access.reads';
import { PortalAccess } from '../db/portal-access.store';
import { PortalModule } from '../portal.module';
import { ChooseDestination } from './choose-destination';
import { VisitClaim } from './visit-claim';
import { type Visitor, VisitPortal } from './visit-portal';

const A_MINUTE = 5;

describe('payees of one client who enter addresses', () => {
  let world: MoneyWorld;
  let client: Client;
  let asked = 0;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    const checkDestination = async (_: unknown, entered: string) => {
      asked += 1;
      return { kind: 'taken', destination: entered };
    };
    Object.assign(world.rail, { checkDestination });
    client = await world.client({ rateLimitPerMinute: A_MINUTE });
  });
  afterAll(() => world.stop());

  const visitor = async (payee: Payee): Promise<Visitor> => {
    const { token } = await world.get(PortalAccess).addLink({ clientId: client.id, payeeId: payee.id }, false);
    const kept = (await world.get(VisitPortal).open(token)) as string;
    const [session] = await world.get(PortalAccessReads).sessions([digest(kept)]);
    return (await world.get(VisitPortal).visitor(session as never)) as Visitor;
  };

  test('have its rail asked no more often than the client may ask us, for others have addresses to enter as well', async () => {
    for (const name of ['ada', 'bob', 'eve', 'joe']) {
      const payee = await world.payee(client, { country: 'IT', email: `${name}@example.com` });
      world.rail.answers = () => waits();
      const { id } = await world.pay(client, payee);
      await world.drive(id);
      const visit = await world.get(VisitClaim).own(await visitor(payee), id);
      if (!visit) throw new Error('There is no such payment.');
      for (let times = 0; times < 10; times += 1) await world.get(ChooseDestination).check(visit, `wallet-${times}`);
    }
    // The minute may have changed once meanwhile.
    expect(asked).toBeLessThanOrEqual(2 * A_MINUTE);
  });
});

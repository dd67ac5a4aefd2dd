/** Whoever presses the button of their own payment without end keeps no other payee of their client from their money. */
import type { Client } from '#libs/clients';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { ChooseDestination } from './choose-destination';
import type { ClaimVisit } from './visit-claim';
import { visitOf } from './wallets-open.fake';

/** Pages of one payee are let in so often a minute (ADR 79). */
const LOOKS_OF_ONE = 60;
const AS_PEOPLE_CLICK = 20;

describe('payees of one client whose money waits for them', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    const checkDestination = async (_: unknown, entered: string) =>
      entered === 'nowhere' ? { kind: 'refused', reason: 'no address' } : { kind: 'taken', destination: entered };
    Object.assign(world.rail, { checkDestination });
  });
  afterAll(() => world.stop());

  const waiting = async (name: string): Promise<ClaimVisit> => {
    const payee = await world.payee(client, { country: 'IT', email: `${name}@example.com` });
    world.rail.answers = () => waits();
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    world.rail.knows.set(railKey, waits());
    return visitOf(world, client, payee, id);
  };

  /** A client that asks us twice a second at most: its payees' clicks are sixty a minute, for all of them. */
  test('are not stopped by one of them', async () => {
    client = await world.client({ rateLimitPerMinute: 120 });
    const [eve, ada] = [await waiting('eve'), await waiting('ada')];
    const chosen: string[] = [];
    for (let time = 0; time < LOOKS_OF_ONE; time += 1)
      chosen.push((await world.get(ChooseDestination).begin(eve, 'nowhere')).kind);
    expect(chosen.slice(0, AS_PEOPLE_CLICK)).toEqual(Array(AS_PEOPLE_CLICK).fill('refused'));
    expect(await world.get(ChooseDestination).begin(ada, 'wallet-of-ada')).toMatchObject({ kind: 'taken' });
  });
});

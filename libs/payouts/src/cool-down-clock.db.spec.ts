/** A change of address is dated by the clock that payouts are dated by, whatever the process that hears of it thinks. */
import type { Client } from '#libs/clients';
import { DatabaseClock } from '#libs/db';
import { systemClock } from '#libs/domain';
import { UpsertPayee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

describe('an address that changes, where the clock of a process is off', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 3600 });
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  /** From now on; the database told it the time since. */
  const clockIsOff = (seconds: number): void => {
    const now = systemClock.now.bind(systemClock);
    jest.spyOn(systemClock, 'now').mockImplementation(() => new Date(now().getTime() + seconds * 1000));
    world.get(DatabaseClock).set(now(), world.get(DatabaseClock).reading());
  };
  /** Held, and then the address that it would go to changes. */
  const held = async (beforeTheChange: () => void): Promise<Payout> => {
    const payee = await world.payee(client);
    const payout = await world.pay(client, payee, 50);
    beforeTheChange();
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, email: 'eve@example.com' });
    return payout;
  };
  const released = async ({ id }: Payout): Promise<string> => {
    const { status, statusReason } = await world.get(RemedyPayout).release(await world.payout(id), 'client');
    return `${status} ${statusReason?.split(':')[0]}`;
  };

  test('gets nothing that was held since before that, as a slow one dates it', async () => {
    expect(await released(await held(() => clockIsOff(-300)))).toBe('held not_payable');
  });

  test('waits for as long as its client wants, as a fast one sees it', async () => {
    const payout = await held(() => undefined);
    clockIsOff(7_200);
    expect(await released(payout)).toBe('held not_payable');
  });
});

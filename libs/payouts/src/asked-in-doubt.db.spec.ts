/** How soon a rail is asked again, once it has been asked for long: whether money moved is not left open for minutes. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, startMoneyWorld } from '../testing/src';
import { DrivePayoutJob } from './jobs/drive-payout.job';

describe('a payout of which its rail is asked again and again', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const driven = async ({ id }: Payout, attempts: number): Promise<number> => {
    const outcome = await world.get(DrivePayoutJob).drive(id, attempts, await world.takeJob(id));
    return outcome?.againInSeconds ?? NaN;
  };
  const pay = async (): Promise<Payout> => world.pay(client, await world.payee(client, { country: 'DE' }));

  test('is asked within a minute while nobody knows what a call of it did, however often there was no answer', async () => {
    world.rail.answers = () => ({ kind: 'unknown', detail: 'no answer' });
    const payout = await pay();
    await driven(payout, 1);
    // No call can be under way any more.
    await world.db.execute(
      `UPDATE payouts SET open_attempts = jsonb_set(open_attempts, '{0,takenAt}', to_jsonb(now() - interval '1 hour')) WHERE id = $1`,
      [payout.id],
    );
    world.rail.knows.set(payout.railKey, { kind: 'unknown', detail: 'no answer' });
    expect(await driven(payout, 20)).toBeLessThanOrEqual(60);
    expect(await world.status(payout.id)).toBe('submitted');
  });

  test('is asked patiently once its rail has said that it took it on', async () => {
    world.rail.answers = () => accepted();
    const payout = await pay();
    await driven(payout, 1);
    world.rail.knows.set(payout.railKey, accepted());
    expect(await driven(payout, 20)).toBe(300);
  });
});

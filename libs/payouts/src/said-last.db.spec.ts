/** What a rail could not tell is kept with the job that asks it again, for operators who look at a payout that does not move. */
import type { Client } from '#libs/clients';
import { JobReads } from '#libs/jobs';
import { type MoneyWorld, startMoneyWorld } from '../testing/src';

describe('what a rail said last of a payout that is under way', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());

  test('stands with its job for as long as it is no answer', async () => {
    const { id, railKey } = await world.pay(client, await world.payee(client));
    const toldAfterDriving = async (): Promise<string | null | undefined> => {
      await world.work('payout.drive', id);
      return (await world.get(JobReads).about(id)).find(({ name }) => name === 'payout.drive')?.lastError;
    };
    world.rail.answers = () => ({ kind: 'unknown', detail: 'the provider answered 502' });
    expect(await toldAfterDriving()).toBe('submit: the provider answered 502');
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'it is down' });
    expect(await toldAfterDriving()).toBe('lookup: it is down');
    world.rail.knows.set(railKey, { kind: 'accepted', providerRef: 'po_1' });
    expect(await toldAfterDriving()).toBeNull();
  });
});

/** An operator blocks a payee while their click, which looked at them a moment before, is about to hand a link to their gift over. */
import { AsyncResource } from 'node:async_hooks';
import type { Client } from '#libs/clients';
import { type Payee, PayeeReads } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld, waits } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { LeadPayee } from './lead-payee';
import { visitOf } from './wallets-open.fake';

describe('a click that leads a payee to their gift', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let handedOver: string[];
  /** Somebody else could change its payee, each time that a link was noted. */
  let frees: boolean[];
  let isFree: () => Promise<boolean>;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    Object.assign(world.rail, {
      payeeLink: async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' }),
      handedOver: async (_: object, of: string) => {
        handedOver.push(of);
        frees.push(await isFree());
      },
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());
  const FREE = 'SELECT id FROM payees WHERE id = $1 FOR UPDATE SKIP LOCKED';
  beforeEach(() => {
    [handedOver, frees] = [[], []];
    // As somebody else asks: not within the transaction of the click.
    isFree = AsyncResource.bind(async () => (await world.db.rows(FREE, [payee.id])).length > 0);
  });

  const blocks = () => world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);

  test.each([
    ['leads there who is not blocked', false],
    [
      'leads nobody there who was blocked after their click looked at them last, and before anything was handed over',
      true,
    ],
  ])('%s', async (_, isBlocked) => {
    payee = await world.payee(client, { country: 'IT', email: 'ada@example.com' });
    world.rail.answers = () => waits();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const visit = await visitOf(world, client, payee, id);
    const reads = world.get(PayeeReads);
    const find = reads.find.bind(reads);
    jest.spyOn(reads, 'find').mockImplementation(async (...asked) => {
      const found = await find(...asked);
      // Its process stands still once it looked.
      if (isBlocked) await blocks();
      return found;
    });
    const led = await world.get(LeadPayee).run(visit);
    expect({ led, handedOver }).toEqual(
      isBlocked ? { led: null, handedOver: [] } : { led: 'https://gifts.example/1', handedOver: ['gift-1'] },
    );
    expect(frees).toEqual(isBlocked ? [] : [false]);
    expect(await isFree()).toBe(true);
  });
});

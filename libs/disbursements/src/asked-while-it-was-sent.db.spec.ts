/**
 * Over the real claim_rail and its simulated PayPal: a caller tries a payout again while its first call is under way, and so has it asked
 * about, which is to send it (ADR 82). That process stands still before it counts its call. See asked-while-sent.spec.ts beside the rail.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { AskRail } from '#libs/payouts';
import { type MoneyWorld } from '#libs/payouts/testing';
import type { Rail, RailStore } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog } from '#libs/rail-kit/testing';
import { claimRail } from '../../rails/claim-rail/src/claim-rail';
import { paypalWorld } from '../../rails/claim-rail/src/claim-rail.world.fake';
import { OwedScene, startOwedWorld } from '../testing/src';

const CREATE = { method: 'POST', path: '/v1/payments/payouts' };

describe('rows whose payout was asked about while it was being sent', () => {
  const clock = new FixedClock();
  let world: MoneyWorld;
  let client: Client;
  let paypal: Awaited<ReturnType<typeof paypalWorld>>;
  let store: RailStore;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
    paypal = await paypalWorld(clock);
    paypal.paypal.register('ada@example.com');
    store = memoryRailStores(clock)('claim_rail');
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await world.stop();
    await paypal.close?.();
  });

  const process = (records = store): Rail =>
    claimRail.create({
      ...{ store: records, clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: paypal.settings,
    });

  /** It sleeps before or after the first record that it changes. */
  function sleeper(when: 'before' | 'after') {
    let [wakes, sleeps] = [(): void => undefined, (): void => undefined];
    const woken = new Promise<void>((resolve) => (wakes = resolve));
    const fallsAsleep = new Promise<void>((resolve) => (sleeps = resolve));
    const asleep = async (): Promise<void> => {
      sleeps();
      await woken;
    };
    const records: RailStore = {
      claim: (key, value) => store.claim(key, value),
      claimFor: (payoutId, key, value) => store.claimFor(payoutId, key, value),
      read: (key) => store.read(key),
      list: (since) => store.list(since),
      update: async (key, change) => {
        if (when === 'before') await asleep();
        const now = await store.update(key, change);
        if (when === 'after') await asleep();
        return now;
      },
    };
    return { rail: process(records), fallsAsleep, wakes: () => wakes() };
  }

  test('are paid once', async () => {
    const submit = jest.spyOn(world.rail, 'submit').mockImplementation((order, call) => process().submit(order, call));
    const lookup = jest.spyOn(world.rail, 'lookup').mockImplementation((order, call) => process().lookup(order, call));
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);

    const sender = sleeper('after');
    submit.mockImplementationOnce((order, call) => sender.rail.submit(order, call));
    const withdrawing = scene.withdraw();
    await sender.fallsAsleep; // counted, and on its way to PayPal
    const [{ id } = { id: '' }] = await world.db.rows<{ id: string }>(
      `SELECT id FROM payouts WHERE payee_id = $1 AND status = 'submitted'`,
      [scene.payee.id],
    );
    const asker = sleeper('before');
    lookup.mockImplementationOnce((order, call) => asker.rail.lookup(order, call));
    const asking = world.get(AskRail).lookUp(await world.payout(id), { byCaller: true });
    await asker.fallsAsleep;

    const body = { name: 'INSUFFICIENT_FUNDS', message: 'no.', debug_id: 'd3bu9' };
    paypal.paypal.faults.ask({ effect: 'answer', match: CREATE, answer: { status: 422, body } });
    sender.wakes();
    const [first] = (await withdrawing) as [Payout];
    expect(first).toMatchObject({ status: 'failed', failureKind: 'transient' });
    await scene.push(1_000);
    const [second] = (await scene.withdraw()) as [Payout];
    expect(second).toMatchObject({ amountCents: 7_000 });
    if (second.status === 'authorized') await world.drive(second.id);
    expect(paypal.paypal.sentAs(second.railKey)).toHaveLength(1);

    asker.wakes();
    await asking;
    expect(paypal.paypal.sentAs(first.railKey).map(({ units }) => units)).toEqual([]);
  });
});

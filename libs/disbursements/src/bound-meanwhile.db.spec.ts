/**
 * A rail is bound to another account of its provider while somebody is about to ask it, or to send: what the new account says
 * of payouts that it never heard of is no answer, and nothing that was sent with the old one is sent with the new one.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { RailIdentity } from '#libs/rail-registry';
import { OwedScene, startOwedWorld } from '../testing/src';

const works = (account: string) => ({ kind: 'works', account, mode: 'live' }) as const;
const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const HELD = { status: 'held', statusReason: expect.stringContaining('another account') as string };
let accounts = 0;

describe('a rail that is bound to another account just now', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  let now: string;
  let next: string;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    now = `acct_${(accounts += 1)}`;
    next = `acct_${(accounts += 1)}`;
    for (const rail of ['custodial_a', 'at_once']) {
      await world.get(RailIdentity).rebind(rail, works(now));
      await world.get(RailIdentity).judge(rail, works(now));
    }
    world.rail.verify = async () => works(now);
    scene = await OwedScene.of(world, client);
  });

  /** This process was started with the credentials of the next account, and is told no before an admin binds that. */
  const restart = async (rail: string): Promise<void> => {
    world.rail.verify = async () => works(next);
    await world.get(RailIdentity).judge(rail, works(next));
  };
  /** Does the work, and binds the next account while the rail is asked whose credentials it has. */
  const boundDuring = async <T>(rail: string, work: () => Promise<T>): Promise<T> => {
    await restart(rail);
    let bound: Promise<void> | null = null;
    world.rail.verify = async () => {
      bound ??= world.get(RailIdentity).rebind(rail, works(next));
      await bound;
      return works(next);
    };
    return work();
  };
  const sends = ({ railKey }: Payout): number =>
    world.rail.calls.filter(({ order }) => order.railKey === railKey).length;

  test.each([undefined, 'permanent'] as const)('frees no rows of what the old one refused (%s)', async (failure) => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal(failure);
    await scene.push(1_000);
    expect(await boundDuring('custodial_a', () => scene.outcome())).not.toContain(7_000);
    expect((await world.payout(payout.id)).clearedAt).toBeNull();
  });

  test('frees no rows that an operator gave up since, until an admin finds out that the old one never saw them', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal();
    // The rails of the spec keep codes for an hour: these are the last minutes of it.
    await world.age(payout.id, 3_500);
    await restart('custodial_a');
    await world.get(RailIdentity).rebind('custodial_a', works(next));
    await world.get(GiveUpPayout).run(await world.payout(payout.id), 'found out');
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    await world.get(GiveUpPayout).run(await world.payout(payout.id), 'found out', true);
    const [again] = await scene.withdraw();
    expect(again?.amountCents).toBe(6_000);
    // Nobody can be asked about the first code any more.
    expect(again?.railKey).not.toBe(payout.railKey);
  });

  test('tries nothing again, also if the request would call it', async () => {
    const payee = await world.payee(client, { country: 'ES' });
    world.rail.answers = () => refused();
    const payout = await world.pay(client, payee);
    await boundDuring('at_once', () => world.get(RemedyPayout).retry(payout, 'client'));
    expect(sends(payout)).toBe(1);
    await world.drive(payout.id);
    expect(await world.payout(payout.id)).toMatchObject(HELD);
    expect(sends(payout)).toBe(1);
  });

  test('is sent nothing that a worker looked at before', async () => {
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => NO_ANSWER;
    await world.drive(id);
    await world.age(id, 60);
    // Its next send was taken on, and not made.
    await world.db.execute('UPDATE payouts SET to_send = true WHERE id = $1', [id]);
    world.rail.answers = () => ({ kind: 'accepted', providerRef: 'of the next account' });
    const payout = await world.payout(id);

    await restart('custodial_a');
    const job = await world.takeJob(id);
    // Somebody holds the payout, so that it is looked at before the other account is bound, and taken on after that.
    let driven: Promise<unknown> | undefined;
    await world.db.inTransaction(async () => {
      await world.db.execute('SELECT FROM payouts WHERE id = $1 FOR NO KEY UPDATE', [id]);
      driven = world.db.outsideTransaction(() => world.drive(id, job));
      await world.db.outsideTransaction(async () => {
        while (!(await world.db.row(IS_WAITED_FOR))) await new Promise((resolve) => setImmediate(resolve));
        await world.get(RailIdentity).rebind('custodial_a', works(next));
      });
    });
    await driven;
    expect(sends(payout)).toBe(1);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject(HELD);
  });

  test('is sent no rows that the one before said no of just then: it may pay them yet, under their code', async () => {
    await scene.push(6_000);
    const payout = await scene.refusedWithdrawal();
    world.rail.knows.set(payout.railKey, refused());
    let isHeard = (): void => undefined;
    world.rail.lookupGate = new Promise((resolve) => (isHeard = resolve));
    const withdrawn = scene.outcome();
    await world.rail.lookingUp(payout.railKey);
    await restart('custodial_a');
    await world.get(RailIdentity).rebind('custodial_a', works(next));
    isHeard();
    expect(await withdrawn).toBe('nothing_to_withdraw');
    expect(sends(payout)).toBe(1);
  });

  test('is sent what nobody sent before, also in the very moment', async () => {
    const payee = await world.payee(client, { country: 'ES' });
    await world.get(RailIdentity).rebind('at_once', works(next));
    world.rail.verify = async () => works(next);
    world.rail.answers = () => ({ kind: 'settled', providerRef: 'ref', settledAt: null });
    expect((await world.pay(client, payee)).status).toBe('paid');
  });
});

const IS_WAITED_FOR = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

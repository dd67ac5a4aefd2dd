/** The rail beside its simulated provider, with what its specs do again and again. */
import { randomUUID } from 'node:crypto';
import type { LookupAnswer, Rail, RailLeg, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxRequest } from '#libs/provider-sandbox';
import type { CircleTransaction, CircleWallet } from '../testing/src';
import { swapRail } from './swap-rail';
import type { SwapRail } from './swap-rail.rail';
import { ADDRESSES, circleWorld } from './swap-rail.world.fake';

export const HOME: string = ADDRESSES[1];
export const ELSEWHERE = `0x${'ef'.repeat(20)}`;

type World = Awaited<ReturnType<typeof circleWorld>>;
type Store = ReturnType<ReturnType<typeof memoryRailStores>>;

export class SwapBench {
  readonly rail: SwapRail;

  private constructor(
    readonly clock: FixedClock,
    readonly world: World,
    readonly calls: SandboxRequest[],
    private store: Store,
  ) {
    this.rail = this.anotherProcess();
  }

  static async open(): Promise<SwapBench> {
    const clock = new FixedClock();
    const calls: SandboxRequest[] = [];
    const world = await circleWorld(clock, (request) => void calls.push(request));
    return new SwapBench(clock, world, calls, memoryRailStores(clock)('swap_rail'));
  }

  anotherProcess(changes: Record<string, string> = {}, store = this.store): SwapRail {
    return swapRail.create({
      ...{ store, clock: this.clock, log: new RecordingLog(), deployment: 'spec', hint: async () => undefined },
      settings: { ...this.world.settings, ...changes },
    }) as Rail as SwapRail;
  }

  /**
   * One that stops before it writes, in this way, until it is woken. `what`: how the records begin that it stops before; `lets`: how often it
   * writes them first.
   */
  sleeper(
    stopsBefore: 'claim' | 'update',
    what = '',
    lets = 0,
  ): { rail: SwapRail; wakes: () => void; fallsAsleep: Promise<void> } {
    let wakes = (): void => undefined;
    const woken = new Promise<void>((resolve) => (wakes = resolve));
    let sleeps = (): void => undefined;
    const fallsAsleep = new Promise<void>((resolve) => (sleeps = resolve));
    let written = 0;
    const asleep = async (key: string): Promise<void> => {
      if (!key.startsWith(what)) return;
      written += 1;
      if (written <= lets) return;
      sleeps();
      await woken;
    };
    const { store } = this;
    const awake: Store = {
      claim: (key, value) => store.claim(key, value),
      claimFor: (payoutId, key, value) => store.claimFor(payoutId, key, value),
      read: (key) => store.read(key),
      update: (key, change) => store.update(key, change),
      list: (since) => store.list(since),
    };
    const claim: Store['claim'] = async (key, value) => (await asleep(key), store.claim(key, value));
    const update: Store['update'] = async (key, change) => (await asleep(key), store.update(key, change));
    const rail = this.anotherProcess({}, { ...awake, ...(stopsBefore === 'claim' ? { claim } : { update }) });
    return { rail, wakes: () => wakes(), fallsAsleep };
  }

  get records(): Store {
    return this.store;
  }

  forgetsAll(): void {
    this.store = memoryRailStores(this.clock)('swap_rail');
  }

  order(changes: Partial<RailOrder> = {}): RailOrder {
    return testOrder(swapRail.traits, { amountCents: 1_005, ...changes });
  }

  /** One whose money lies in the wallet of its payee. */
  async waiting(changes: Partial<RailOrder> = {}): Promise<RailOrder> {
    const order = this.order(changes);
    expect(await this.rail.submit(order)).toMatchObject({ kind: 'awaiting_payee' });
    return order;
  }

  call(destination = HOME): RailLeg {
    return { name: 'drain', key: randomUUID(), firstSentAt: this.clock.now(), destination };
  }

  /** What was posted there. */
  sent({ path }: { path: string }): Record<string, unknown>[] {
    const posts = this.calls.filter((request) => request.method === 'POST' && request.path === path);
    return posts.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  }

  legs({ railKey }: RailOrder): string[] {
    return this.world.circle.transactionsOf(railKey, 'pay').map(({ state }) => state);
  }

  drains({ railKey }: RailOrder): string[] {
    return this.world.circle.transactionsOf(railKey, 'drain').map(({ to, state }) => `${state} ${to}`);
  }

  walletOf({ payeeKey }: RailOrder): CircleWallet {
    return this.world.circle.walletsOf(payeeKey)[0] as CircleWallet;
  }

  /** By an operator, at Circle. */
  takesBack({ railKey }: RailOrder): CircleTransaction {
    const { circle } = this.world;
    return circle.takesBack(circle.transactionsOf(railKey, 'pay')[0] as CircleTransaction);
  }
}

/** The key of the call that it says was refused; what else it says, if it does not wait for its payee. */
export const refusedIn = (fact: LookupAnswer | SubmitAnswer): string | undefined =>
  fact.kind === 'awaiting_payee' ? fact.begins?.refused?.key : fact.kind;

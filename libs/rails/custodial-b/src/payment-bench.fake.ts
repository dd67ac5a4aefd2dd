/** The rail beside a simulated Adyen, for specs about payments: what is sent, what is out, and what another process makes of it. */
import { randomUUID } from 'node:crypto';
import type { LookupAnswer, Rail, RailClock, RailLeg, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import type { SandboxRequest } from '#libs/provider-sandbox';
import type { AdyenSandbox, AdyenTransfer } from '../testing/src';
import { custodialB } from './custodial-b';
import type { CustodialBRail } from './custodial-b.rail';
import { adyenWorld, API_KEY, PAYEE } from './custodial-b.world.fake';

type World = Awaited<ReturnType<typeof adyenWorld>>;

/** The call that is asked for next. */
export const wanted = (said: SubmitAnswer | LookupAnswer): string | undefined =>
  said.kind === 'accepted' ? said.next?.leg : undefined;

export const CENTS = 2_005;
const DAY_MS = 86_400_000;

export class PaymentBench {
  rail: CustodialBRail;
  private readonly legs = new Map<string, RailLeg>();
  private store: ReturnType<ReturnType<typeof memoryRailStores>>;

  private constructor(
    readonly clock: FixedClock,
    private readonly world: World,
    private readonly calls: readonly SandboxRequest[],
  ) {
    this.store = memoryRailStores(clock)('custodial_b');
    this.rail = this.anotherProcess();
  }

  static async open(): Promise<PaymentBench> {
    const clock = new FixedClock();
    const calls: SandboxRequest[] = [];
    return new PaymentBench(clock, await adyenWorld(clock, (request) => void calls.push(request)), calls);
  }

  async close(): Promise<void> {
    await this.world.close?.();
  }

  get adyen(): AdyenSandbox {
    return this.world.adyen;
  }

  anotherProcess(
    changes: Record<string, string> = {},
    store = this.store,
    clock: RailClock = this.clock,
  ): CustodialBRail {
    return custodialB.create({
      ...{ store, clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: { ...this.world.settings, ...changes } },
    }) as Rail as CustodialBRail;
  }

  /** A database of before is put back: all that the rail wrote down is gone. */
  forgetsAll(): void {
    this.store = memoryRailStores(this.clock)('custodial_b');
    this.rail = this.anotherProcess();
  }

  order(changes: Partial<RailOrder> = {}): RailOrder {
    return testOrder(custodialB.traits, { currency: 'EUR', amountCents: CENTS, accountId: PAYEE, ...changes });
  }

  /** Under the key that it has on every try. */
  leg(order: RailOrder, name: string, by = this.rail): Promise<SubmitAnswer> {
    const known = this.legs.get(name) ?? { name, key: randomUUID(), firstSentAt: this.clock.now() };
    this.legs.set(name, known);
    return by.advance(order, known);
  }

  /** A process that sleeps before it writes down a record whose key begins so, until it is woken. */
  sleeper(key: string): { rail: CustodialBRail; asleep: Promise<void>; wake: () => void } {
    let wake = (): void => undefined;
    let dozesOff = (): void => undefined;
    const woken = new Promise<void>((resolve) => (wake = resolve));
    const asleep = new Promise<void>((resolve) => (dozesOff = resolve));
    const { store } = this;
    const rail = this.anotherProcess(
      {},
      {
        claim: (known, value) => store.claim(known, value),
        claimFor: async (payoutId, known, value) => {
          if (known.startsWith(key)) {
            dozesOff();
            await woken;
          }
          return store.claimFor(payoutId, known, value);
        },
        read: (known) => store.read(known),
        update: (known, change) => store.update(known, change),
        list: (since) => store.list(since),
      },
    );
    return { rail, asleep, wake };
  }

  /** What Adyen lists of a payout now. */
  async shown({ railKey }: RailOrder): Promise<object> {
    const now = this.clock.now().getTime();
    const [createdSince = '', createdUntil = ''] = [now - DAY_MS, now + DAY_MS].map((at) => new Date(at).toISOString());
    const asked = { balancePlatform: 'SimulatedPlatform', reference: railKey, createdSince, createdUntil };
    const query = new URLSearchParams({ ...asked, sortOrder: 'desc', limit: '100' }).toString();
    const headers = { 'x-api-key': API_KEY };
    const answer = await fetch(`${this.world.settings.CUSTODIAL_B_BASE_URL}/btl/v4/transfers?${query}`, { headers });
    return (await answer.json()) as object;
  }

  /** It was refused, and is tried again: later calls have other keys. */
  newRound(): void {
    this.legs.clear();
  }

  /** Of the payee's balance account. */
  balances(): Record<string, number> {
    return this.adyen.state.accounts.find(({ holderId }) => holderId === PAYEE)?.balances ?? {};
  }

  made({ contains }: { contains: string }): Record<string, unknown>[] {
    const posted = this.calls.filter(({ method, body }) => method === 'POST' && body.includes(contains));
    return posted.map(({ body, headers }) => ({ ...(JSON.parse(body) as object), key: headers['idempotency-key'] }));
  }

  /** Of the platform's own money that which did not come back. */
  out({ railKey }: RailOrder): unknown {
    return this.world.out?.(railKey);
  }

  banks({ railKey }: RailOrder): string[] {
    return this.adyen.banksOf(railKey).map(({ status }) => status);
  }

  bankOf({ railKey }: RailOrder): AdyenTransfer {
    return this.adyen.banksOf(railKey)[0] as AdyenTransfer;
  }
}

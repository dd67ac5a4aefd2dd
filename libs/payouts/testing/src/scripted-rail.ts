/** A rail whose every answer a spec decides, also when it comes: a call waits until the spec answers it. */
import type {
  AccountFact,
  ArrivalFact,
  CheckLinkAnswer,
  ChecksPayees,
  DestinationAnswer,
  LetsPayeesBegin,
  ListsMovements,
  LookupAnswer,
  MovesInLegs,
  PayeeCheckAnswer,
  Rail,
  RailCall,
  RailLeg,
  RailMovement,
  RailOrder,
  ReadsAccounts,
  Refused,
  SubmitAnswer,
  SubmitFact,
  VerificationAnswer,
} from '#libs/rail-kit';

export interface SubmitCall {
  order: RailOrder;
  /** null: the first call of its payout. */
  leg: RailLeg | null;
  signal: AbortSignal | undefined;
  answer(fact: SubmitAnswer): void;
}

/** `rail`: only the one of this name lists it; else all do that are scripted. */
type Listed = RailMovement & { rail?: string };
type Powers = ReadsAccounts & ListsMovements & MovesInLegs & LetsPayeesBegin & ChecksPayees;

export class ScriptedRail implements Rail, Powers {
  readonly calls: SubmitCall[] = [];
  readonly asked: RailOrder[] = [];
  /** What is answered at once; null: the spec answers each call by hand. */
  answers: ((order: RailOrder, leg: RailLeg | null) => SubmitAnswer) | null = null;
  /** What look-ups say of a code. */
  readonly knows = new Map<string, LookupAnswer>();
  /** What it says of an address that a payee entered; null: it takes any. */
  destination: DestinationAnswer | null = null;
  /** What it says of the payee of an order; `checks`: how often it was asked. */
  check: PayeeCheckAnswer = { kind: 'cleared' };
  checks = 0;
  /** What each look-up was told that it must not do. */
  readonly movesNothing: RailCall['movesNothing'][] = [];
  /** Where the spec holds look-ups back. */
  lookupGate: Promise<void> = Promise.resolve();
  readonly accounts = new Map<string, AccountFact>();
  /** In the order in which they were asked about. */
  accountsRead: string[] = [];
  /** Of which the rail says nothing, until the spec does. */
  readonly silentAbout = new Map<string, Promise<void>>();
  accountGate: Promise<void> = Promise.resolve();
  /** Once a spec sets it the rail tells whose credentials it has. */
  verify: (() => Promise<VerificationAnswer>) | undefined = undefined;
  moved: Listed[] = [];
  /** What was asked for, of any rail. */
  listed: { since: Date; until: Date | undefined }[] = [];
  private arrivals: (() => void)[] = [];

  submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    return this.called(order, null, call);
  }

  advance(order: RailOrder, leg: RailLeg, call?: RailCall): Promise<SubmitAnswer> {
    return this.called(order, leg, call);
  }

  async checkDestination(_: RailOrder, entered: string): Promise<DestinationAnswer> {
    return this.destination ?? { kind: 'taken', destination: entered.trim().toLowerCase() };
  }

  async arrivesAs(): Promise<ArrivalFact> {
    return { kind: 'unknown', detail: 'no address is entered in these specs' };
  }

  async checkPayee(): Promise<PayeeCheckAnswer> {
    this.checks += 1;
    return this.check;
  }

  async payeeCheckLink(): Promise<CheckLinkAnswer> {
    return { kind: 'unknown', detail: 'no link is asked for in these specs' };
  }

  private called(order: RailOrder, leg: RailLeg | null, call?: RailCall): Promise<SubmitAnswer> {
    return new Promise((resolve) => {
      this.calls.push({ order, leg, signal: call?.signal, answer: resolve });
      if (this.answers) resolve(this.answers(order, leg));
      for (const arrived of this.arrivals.splice(0)) arrived();
    });
  }

  async lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    this.movesNothing.push(call?.movesNothing);
    const known = this.knows.get(order.railKey) ?? { kind: 'never_seen' };
    const gate = this.lookupGate;
    this.asked.push(order);
    for (const arrived of this.arrivals.splice(0)) arrived();
    await gate;
    return known;
  }

  /** Once somebody asks what became of this code, from now on. */
  async lookingUp(railKey: string): Promise<void> {
    while (!this.asked.some((order) => order.railKey === railKey))
      await new Promise<void>((resolve) => this.arrivals.push(resolve));
  }

  async readAccount(accountId: string): Promise<AccountFact> {
    const known = this.accounts.get(accountId) ?? PAYABLE;
    const gate = this.silentAbout.get(accountId) ?? this.accountGate;
    this.accountsRead.push(accountId);
    for (const arrived of this.arrivals.splice(0)) arrived();
    await gate;
    return known;
  }

  /** Once somebody asked about the account. */
  async readingOf(accountId: string): Promise<void> {
    while (!this.accountsRead.includes(accountId)) await new Promise<void>((resolve) => this.arrivals.push(resolve));
  }

  async movements(since: Date, until?: Date): Promise<Listed[]> {
    this.listed.push({ since, until });
    return this.moved.filter(({ movedAt }) => movedAt >= since && (!until || movedAt < until));
  }

  /** As the rail of this name, which lists what it moved itself. */
  named(name: string): Rail & Powers {
    const movements = async (since: Date, until?: Date): Promise<RailMovement[]> =>
      (await this.movements(since, until)).filter(({ rail = name }) => rail === name);
    return Object.create(this, { movements: { value: movements } }) as ScriptedRail;
  }

  /** The n-th call, once it has come. */
  async call(n: number): Promise<SubmitCall> {
    while (this.calls.length < n) await new Promise<void>((resolve) => this.arrivals.push(resolve));
    return this.calls[n - 1] as SubmitCall;
  }

  /** The first call for this payout, once it has come. */
  async callFor(payoutId: string): Promise<SubmitCall> {
    for (;;) {
      const call = this.calls.find(({ order }) => order.payoutId === payoutId);
      if (call) return call;
      await new Promise<void>((resolve) => this.arrivals.push(resolve));
    }
  }

  /** What each call is answered, by its name; the first one of a payout is called so. What has no answer is unknown. */
  says(answers: Record<string, SubmitAnswer>): void {
    this.answers = (_, leg) => answers[leg?.name ?? 'first'] ?? { kind: 'unknown', detail: 'no answer' };
  }

  /** In the order in which they came. */
  callsOf(payoutId: string): string[] {
    return this.calls.flatMap(({ order, leg }) => (order.payoutId === payoutId ? [leg?.name ?? 'first'] : []));
  }

  forgetReadings(): void {
    this.accountsRead = [];
  }

  /** Whoever still waits for an answer gets none: a call may not outlast its spec. */
  letGo(): void {
    for (const { answer } of this.calls) answer({ kind: 'unknown', detail: 'the spec is over' });
  }

  reset(): void {
    this.letGo();
    this.calls.length = 0;
    this.asked.length = 0;
    this.movesNothing.length = 0;
    this.answers = null;
    this.knows.clear();
    this.destination = null;
    this.check = { kind: 'cleared' };
    this.checks = 0;
    this.accounts.clear();
    this.silentAbout.clear();
    this.accountsRead = [];
    this.lookupGate = Promise.resolve();
    this.accountGate = Promise.resolve();
    this.verify = undefined;
    this.moved = [];
    this.listed = [];
  }
}

export const PAYABLE: AccountFact = {
  kind: 'account',
  payable: true,
  kyc: 'verified',
  kycReason: null,
  onboarding: 'complete',
  country: null,
};

export const accepted = (providerRef = 'ref'): SubmitFact => ({ kind: 'accepted', providerRef });
/** It was accepted, and this leg is to be done. */
export const thenDo = (leg: string, afterSeconds?: number): SubmitFact => ({
  kind: 'accepted',
  providerRef: 'ref',
  next: { leg, ...(afterSeconds === undefined ? {} : { afterSeconds }) },
});
/** It waits for its payee, who begins the call `drain`; `key`: of the call of that name that was refused last. */
export const waits = (key?: string): SubmitFact => ({
  ...{ kind: 'awaiting_payee', providerRef: 'ref', claimUrl: 'https://rail.example/ref' },
  begins: { leg: 'drain', ...(key ? { refused: { key, reason: 'Another network.' } } : {}) },
});
export const claimed = (): SubmitFact => ({ kind: 'claimed', providerRef: 'ref' });
export const settled = (providerRef = 'ref'): SubmitFact => ({ kind: 'settled', providerRef, settledAt: null });
export const refused = (failure: Refused['failure'] = 'transient'): SubmitFact => ({
  kind: 'refused',
  failure,
  reason: 'refused by the spec',
});

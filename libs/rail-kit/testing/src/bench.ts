/**
 * One rail, one provider, one check. Every fact passes through here as the core would see it: what a rail throws or
 * never answers counts as `unknown`, and a fact that is not well formed fails the check, whatever it was about.
 */
import {
  type AccountRequest,
  type ArrivalFact,
  type CheckLinkAnswer,
  checksPayees,
  type DestinationAnswer,
  letsPayeesBegin,
  type ListsMovements,
  type LookupAnswer,
  movesInLegs,
  type NextLeg,
  type NotNow,
  type OnboardingVisit,
  type OpeningAnswer,
  opensAccounts,
  type PayeeCheckAnswer,
  type Rail,
  type RailContext,
  type RailLeg,
  type RailMovement,
  type RailOrder,
  type RailPayee,
  type RailTraits,
  type SubmitAnswer,
  traitsOf,
  type Unknown,
  type VerificationAnswer,
  verifies,
} from '#libs/rail-kit';
import { asTheCoreSeesIt } from './as-the-core-sees-it';
import { given } from './check';
import { expectWellFormed } from './fact-shape';
import { FixedClock } from './fixed-clock';
import { memoryRailStores } from './memory-rail-store';
import { testKey, testOrder } from './order';
import { RecordingLog } from './recording-log';
import type { ProviderMovement, ProviderOutcome, RailSubject, RailWorld, WorldParts } from './subject';

/** Far more than any payout takes. */
const MOST_LEGS = 10;

export class RailBench {
  readonly hints: string[] = [];
  readonly log = new RecordingLog();
  /** Whom the rail heard of, and which links it gave: none of it belongs into a log. */
  private readonly personal: string[] = [];
  /** Each call, and what the rail answered to it. */
  private readonly said: string[] = [];
  private readonly legs = new Map<string, RailLeg>();
  private running: Rail;

  private constructor(
    readonly subject: RailSubject,
    readonly world: RailWorld,
    private parts: Pick<RailContext, 'store'> & { clock: FixedClock },
  ) {
    this.running = this.newRail();
  }

  static async open(subject: RailSubject, whose?: WorldParts['whose']): Promise<RailBench> {
    const clock = new FixedClock();
    const parts = { clock, store: memoryRailStores(clock)(subject.definition.name) };
    return new RailBench(subject, await subject.world(whose ? { ...parts, whose } : parts), parts);
  }

  /** As the settings of the test's world have them. */
  get traits(): RailTraits {
    return traitsOf(this.subject.definition, this.settings());
  }

  get rail(): Rail {
    return this.running;
  }

  /** A new process: the rail's memory is gone, its store is not. */
  restart(): void {
    this.said.push('(another process)');
    this.running = this.newRail();
  }

  /** A new process on a database that was restored to before all this: the rail's store is empty, the provider's books are not. */
  restore(): void {
    this.said.push('(another process, with an empty store)');
    const { clock } = this.parts;
    this.parts = { clock, store: memoryRailStores(clock)(this.subject.definition.name) };
    this.running = this.newRail();
  }

  now(): Date {
    return this.parts.clock.now();
  }

  advance(seconds: number): void {
    this.parts.clock.advance(seconds);
  }

  arrange(outcome: ProviderOutcome, changes: Partial<RailOrder> = {}): RailOrder | Promise<RailOrder> {
    const { traits } = this;
    const accountId = traits.custody === 'custodial' ? (this.world.accounts?.payable ?? null) : null;
    return this.world.arrange(outcome, testOrder(traits, { accountId, ...changes }));
  }

  /** With all calls that follow, as the core makes them. */
  async submit(order: RailOrder): Promise<SubmitAnswer> {
    return this.finish(order, await this.begin(order));
  }

  /** The first call alone. */
  async begin(order: RailOrder): Promise<SubmitAnswer> {
    this.heardOf(order.payee);
    const fact = await asTheCoreSeesIt(() => this.rail.submit(order));
    return this.noted('submit', fact, order);
  }

  /** From what was said last: each call that the rail asks for, until it asks for none. */
  async finish(order: RailOrder, said: SubmitAnswer): Promise<SubmitAnswer> {
    let fact = said;
    for (let calls = 0; calls < MOST_LEGS && nextOf(fact) !== null; calls += 1) {
      const { leg, afterSeconds = 0 } = nextOf(fact) as NextLeg;
      this.advance(afterSeconds);
      fact = await this.leg(order, leg);
    }
    // It asks for one call after the other, and comes to no end.
    expect(nextOf(fact)).toBeNull();
    return fact;
  }

  /** It was refused, and starts over: what is asked for from now on has other keys. */
  newRound({ railKey }: RailOrder): void {
    for (const known of this.legs.keys()) if (known.startsWith(`${railKey} `)) this.legs.delete(known);
  }

  /** One call after the first one, under the key that it has on every try. */
  async leg(order: RailOrder, name: string, destination?: string): Promise<SubmitAnswer> {
    const { rail } = this;
    if (!movesInLegs(rail)) throw new Error(`The rail asks for '${name}', and cannot do it: it has no \`advance\`.`);
    const known = `${order.railKey} ${name}`;
    const made = { name, key: testKey(), firstSentAt: this.parts.clock.now() };
    const leg = this.legs.get(known) ?? (destination === undefined ? made : { ...made, destination });
    this.legs.set(known, leg);
    return this.noted(`advance '${name}'`, await asTheCoreSeesIt(() => rail.advance(order, leg)), order);
  }

  /** The key of a call that was made. */
  keyOf({ railKey }: RailOrder, name: string): string | undefined {
    return this.legs.get(`${railKey} ${name}`)?.key;
  }

  /** What a payee enters is theirs: no log tells it. */
  async checkDestination(order: RailOrder, entered: string): Promise<DestinationAnswer> {
    const { rail } = this;
    if (!letsPayeesBegin(rail)) throw new Error('This check is not for a rail that lets no payee begin.');
    this.personal.push(entered);
    return this.asked<DestinationAnswer>('checkDestination', () => rail.checkDestination(order, entered));
  }

  arrivesAs(): Promise<ArrivalFact | NotNow> {
    const { rail } = this;
    if (!letsPayeesBegin(rail)) throw new Error('This check is not for a rail that lets no payee begin.');
    return asTheCoreSeesIt<ArrivalFact | NotNow>(() => rail.arrivesAs());
  }

  async checkPayee(order: RailOrder): Promise<PayeeCheckAnswer> {
    const { rail } = this;
    if (!checksPayees(rail)) throw new Error('This check is not for a rail that checks no payees.');
    this.heardOf(order.payee);
    return this.asked<PayeeCheckAnswer>('checkPayee', () => rail.checkPayee(order));
  }

  /** What it gives belongs to its payee alone: no log tells it. */
  async payeeCheckLink(order: RailOrder, visit: OnboardingVisit): Promise<CheckLinkAnswer> {
    const { rail } = this;
    if (!checksPayees(rail)) throw new Error('This check is not for a rail that checks no payees.');
    const answer = await asTheCoreSeesIt<CheckLinkAnswer>(() => rail.payeeCheckLink(order, visit));
    if (answer.kind === 'link') this.keepsPrivate(answer.url);
    this.hear('payeeCheckLink', answer);
    return answer;
  }

  async lookup(order: RailOrder): Promise<LookupAnswer> {
    const fact = await asTheCoreSeesIt(() => this.rail.lookup(order));
    return this.noted('lookup', fact, order);
  }

  /** As the core does: the same again until somebody knows. */
  async openAccount(request: AccountRequest): Promise<OpeningAnswer> {
    const { rail } = this;
    if (!opensAccounts(rail)) throw new Error('This check is not for a rail that opens no accounts.');
    this.heardOf(request.payee);
    return this.asked<OpeningAnswer>('openAccount', () => rail.openAccount(request));
  }

  /** With the settings of the test's world, or with some of them changed. */
  async verify(changed: Readonly<Record<string, string>> = {}): Promise<VerificationAnswer> {
    return this.asked<VerificationAnswer>(`verify ${Object.keys(changed).join()}`.trim(), async () => {
      const rail = this.newRail(changed);
      if (!verifies(rail)) throw new Error('This check is not for a rail that verifies nothing.');
      return rail.verify();
    });
  }

  /** What it gave belongs to its payee alone. */
  keepsPrivate(link: string): void {
    this.personal.push(link);
  }

  async movements(order: RailOrder): Promise<ProviderMovement[]> {
    return this.world.movements(order.railKey);
  }

  /** What left the rail's own account for this order and did not come back. What takes one call only has moved, or has not. */
  async out({ railKey }: RailOrder): Promise<number> {
    const { rail, world } = this;
    return movesInLegs(rail) ? given(world.out, 'out').call(world, railKey) : 0;
  }

  /** Neither the log nor a fact's text may carry a secret of the deployment, nor the log a payee's name, address or link. */
  expectDiscretion(): void {
    const { definition } = this.subject;
    const secrets = definition.settings.flatMap(({ env, secret }) => (secret && this.world.settings[env]) || []);
    const logged = this.log.lines.join('\n');
    for (const word of [...secrets, ...this.personal]) expect(logged).not.toContain(word);
    for (const word of secrets) expect(this.history()).not.toContain(word);
  }

  /** Call by call, for whoever reads why a check failed. */
  history(): string {
    return this.said.join('\n');
  }

  async close(): Promise<void> {
    await this.world.close?.();
  }

  /** As the core hears it. */
  private async asked<T extends { kind: string }>(call: string, question: () => Promise<T>): Promise<T | Unknown> {
    const answer = await asTheCoreSeesIt<T>(question);
    this.hear(call, answer);
    return answer;
  }

  private hear(call: string, answer: object): void {
    this.said.push(`${call}: ${JSON.stringify(answer)}`);
  }

  private heardOf({ email, name }: RailPayee): void {
    this.personal.push(...[email, name].filter((text) => text !== null));
  }

  private newRail(changed: Readonly<Record<string, string>> = {}): Rail {
    const hint = async (railKey: string): Promise<void> => void this.hints.push(railKey);
    const { parts, log } = this;
    return this.subject.definition.create({
      ...parts,
      settings: { ...this.settings(), ...changed },
      log,
      deployment: 'conformance',
      hint,
    });
  }

  private settings(): Record<string, string> {
    const { settings } = this.subject.definition;
    const defaults = Object.fromEntries(settings.flatMap(({ env, default: usual }) => (usual ? [[env, usual]] : [])));
    return { ...defaults, ...this.world.settings };
  }

  private noted<T extends LookupAnswer>(call: string, fact: T, { reason }: RailOrder): T {
    this.hear(call, fact);
    const { custody, custodyOf } = this.traits;
    expectWellFormed(fact, custodyOf?.(reason) ?? custody);
    return fact;
  }
}

export const nextOf = (fact: LookupAnswer): NextLeg | null => ('next' in fact && fact.next ? fact.next : null);

/** Page by page, or all at once. */
export async function listedBy(rail: ListsMovements, since: Date): Promise<RailMovement[]> {
  const listing = rail.movements(since);
  if (!(Symbol.asyncIterator in listing)) return listing;
  const all: RailMovement[] = [];
  for await (const page of listing) for (const movement of page) all.push(movement);
  return all;
}

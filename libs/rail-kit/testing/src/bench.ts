/**
 * One rail, one provider, one check. Every fact passes through here as the core would see it: what a rail throws or
 * never answers counts as `unknown`, and a fact that is not well formed fails the check, whatever it was about.
 */
import { type LookupFact, type Rail, type RailContext, type RailOrder, type SubmitFact } from '#libs/rail-kit';
import { expectWellFormed } from './fact-shape';
import { FixedClock } from './fixed-clock';
import { memoryRailStores } from './memory-rail-store';
import { testOrder } from './order';
import { RecordingLog } from './recording-log';
import type { ProviderMovement, ProviderOutcome, RailSubject, RailWorld } from './subject';

const ANSWERS_WITHIN_MS = 8_000;

export class RailBench {
  readonly hints: string[] = [];
  readonly log = new RecordingLog();
  private readonly orders: RailOrder[] = [];
  private readonly said: unknown[] = [];
  private running: Rail;

  private constructor(
    readonly subject: RailSubject,
    readonly world: RailWorld,
    private readonly parts: Pick<RailContext, 'store' | 'clock'>,
  ) {
    this.running = this.newRail();
  }

  static async open(subject: RailSubject): Promise<RailBench> {
    const clock = new FixedClock();
    const parts = { clock, store: memoryRailStores(clock)(subject.definition.name) };
    return new RailBench(subject, await subject.world(parts), parts);
  }

  get rail(): Rail {
    return this.running;
  }

  /** A new process: the rail's memory is gone, its store is not. */
  restart(): void {
    this.running = this.newRail();
  }

  arrange(outcome: ProviderOutcome, changes: Partial<RailOrder> = {}): RailOrder | Promise<RailOrder> {
    const { traits } = this.subject.definition;
    const accountId = traits.custody === 'custodial' ? (this.world.accounts?.payable ?? null) : null;
    return this.world.arrange(outcome, testOrder(traits, { accountId, ...changes }));
  }

  async submit(order: RailOrder): Promise<SubmitFact> {
    this.orders.push(order);
    const fact = await asTheCoreSeesIt(() => this.rail.submit(order));
    return this.noted(fact);
  }

  async lookup(order: RailOrder): Promise<LookupFact> {
    const fact = await asTheCoreSeesIt(() => this.rail.lookup(order));
    return this.noted(fact);
  }

  async movements(order: RailOrder): Promise<ProviderMovement[]> {
    return this.world.movements(order.railKey);
  }

  /** Neither the log nor a fact's text may carry a secret of the deployment, nor the log a payee's name or address. */
  expectDiscretion(): void {
    const { definition } = this.subject;
    const secrets = definition.settings.flatMap(({ env, secret }) => (secret && this.world.settings[env]) || []);
    const personal = this.orders.flatMap(({ payee }) => [payee.email ?? [], payee.name ?? []].flat());
    const logged = this.log.lines.join('\n');
    for (const word of [...secrets, ...personal]) expect(logged).not.toContain(word);
    for (const word of secrets) expect(JSON.stringify(this.said)).not.toContain(word);
  }

  async close(): Promise<void> {
    await this.world.close?.();
  }

  private newRail(): Rail {
    const { settings: declared, create } = this.subject.definition;
    const defaults = Object.fromEntries(declared.flatMap(({ env, default: usual }) => (usual ? [[env, usual]] : [])));
    const settings: Record<string, string> = { ...defaults, ...this.world.settings };
    const hint = async (railKey: string): Promise<void> => void this.hints.push(railKey);
    return create({ ...this.parts, settings, log: this.log, hint });
  }

  private noted<T extends LookupFact>(fact: T): T {
    this.said.push(fact);
    expectWellFormed(fact, this.subject.definition.traits.custody);
    return fact;
  }
}

async function asTheCoreSeesIt<T extends LookupFact>(call: () => Promise<T>): Promise<T | SubmitFact> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateAnswer()), ANSWERS_WITHIN_MS);
  });
  try {
    return await Promise.race([call(), late]);
  } catch (error) {
    if (error instanceof LateAnswer) throw error;
    return { kind: 'unknown', detail: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

class LateAnswer extends Error {
  constructor() {
    super(`The rail did not answer within ${ANSWERS_WITHIN_MS} ms: give its calls a deadline of their own.`);
  }
}

/**
 * One history: a payout, a few processes of its rail on one store, and a provider that meets them as the plan says. After each move the
 * provider's books are held against what the core has been told; in the end all faults are gone, and all processes come to their end.
 */
import type { RailDefinition, RailOrder, RailStore } from '#libs/rail-kit';
import { traitsOf } from '#libs/rail-kit';
import { FixedClock } from '../fixed-clock';
import type { LoopbackServer } from '../loopback-server';
import { memoryRailStores } from '../memory-rail-store';
import { testOrder } from '../order';
import { RecordingLog } from '../recording-log';
import type { RailWorld, WorldParts } from '../subject';
import { type Act, Desk, type Runner } from './desk';
import { Door, type DoorParts } from './door';
import { isUnderWay, type State } from './payout';
import { type Plan, PROCESSES, type Step } from './plan';
import { CALM, Process, storeOf } from './process';

/** What a rail's spec tells of the provider, beside what it tells the conformance suite. */
export interface HistoryWorld {
  world: RailWorld;
  /** Left out by a rail that has no provider but its own store. */
  door?: Omit<DoorParts, 'now' | 'short'>;
  order: Partial<RailOrder>;
  /** Before the first send: what the provider is to make of it, if not what it does by itself. */
  prepares?(order: RailOrder): void;
  /** What its money comes from is short, or is not any more; as `holds` of the world, if nothing is said. */
  short?: DoorParts['short'];
  /** What left the rail's own account for it and did not come back, in minor units; as `out` of the world, if nothing is said. */
  out?(railKey: string): number | Promise<number>;
  /** Of a rail that moves in legs: what is on its way to a bank or an address, or there, and did not come back, whoever's money it took. */
  reached?(railKey: string): number;
  /** In the end: whatever it was to make of it, it does what it does by itself from now on. */
  heals?(railKey: string): unknown;
  /** What may become of it at the provider by now. */
  events(railKey: string): Readonly<Record<string, () => unknown>>;
}

export interface HistorySubject {
  definition: RailDefinition;
  /** `payout`: any number, for kinds of payouts. */
  open(parts: WorldParts, payout: number): Promise<HistoryWorld>;
}

export type Ending = State['status'];

const PLENTY_CENTS = 1_000_000_000;
/** As often as a job may have to be taken up until a payout is at rest. */
const MOST_ROUNDS = 12;
const LONG_ENOUGH_SECONDS = 700;

export class History {
  readonly lines: string[] = [];
  private readonly doors: LoopbackServer[] = [];
  private readonly runners: Runner[] = [];
  private readonly desk: Desk;
  private deniedAs: string | null = null;

  private constructor(
    private readonly subject: HistorySubject,
    private readonly given: HistoryWorld,
    private readonly order: RailOrder,
    private readonly parts: { clock: FixedClock; store: RailStore },
  ) {
    const { clock } = parts;
    this.desk = new Desk(order, clock, given.world.destinations?.good ?? [], (kind) => (this.deniedAs = kind));
  }

  /** How it ended; throws what is wrong. */
  static async run(subject: HistorySubject, plan: Plan): Promise<Ending> {
    const clock = new FixedClock();
    const parts = { clock, store: memoryRailStores(clock)(subject.definition.name) };
    const given = await subject.open(parts, plan.payout);
    const { world } = given;
    const traits = traitsOf(subject.definition, settingsOf(subject, world));
    const accountId = traits.custody === 'custodial' ? (world.accounts?.payable ?? null) : null;
    const order = testOrder(traits, { accountId, ...given.order });
    given.prepares?.(order);
    const history = new History(subject, given, order, parts);
    try {
      for (let number = 1; number <= PROCESSES; number += 1) history.runners.push(await history.another(`p${number}`));
      return await history.lives(plan);
    } catch (error) {
      throw new WrongHistory(error as Error, history.lines);
    } finally {
      await history.close();
    }
  }

  private async lives({ steps, lists }: Plan): Promise<Ending> {
    for (const step of steps) await this.takes(step, lists);
    this.lines.push('All faults are gone.');
    await this.given.heals?.(this.order.railKey);
    for (const runner of this.runners) await this.toItsEnd(runner);
    const [runner] = this.runners as [Runner];
    for (let rounds = 0; rounds < MOST_ROUNDS && !this.desk.isAtRest && !this.desk.isQuiet; rounds += 1) {
      await this.waits(50);
      await this.toItsEnd(runner, this.desk.acts()[0]);
    }
    await this.waits(LONG_ENOUGH_SECONDS);
    await this.toItsEnd(runner, this.desk.isAtRest ? 'look' : 'reader');
    // It bounced, and is pulled back.
    for (let rounds = 0; rounds < MOST_ROUNDS && this.desk.acts()[0] === 'job' && !this.desk.isQuiet; rounds += 1) {
      await this.waits(50);
      await this.toItsEnd(runner, 'job');
      await this.toItsEnd(runner, this.desk.isAtRest ? 'look' : 'reader');
    }
    return this.ends();
  }

  private async takes(step: Step, lists: Plan['lists']): Promise<void> {
    if (step.kind === 'waits') return this.waits(step.seconds);
    if (step.kind === 'happens') return this.happens(step.event);
    const runner = this.runners[step.process % this.runners.length] as Runner;
    const { process } = runner;
    process.weather = { money: step.money, reads: step.reads === 'usual' ? lists : step.reads };
    if (!process.isBusy) {
      const acts = this.desk.acts();
      const act = acts[step.act % acts.length];
      if (act === undefined) return;
      if (act === 'job') await this.waits(this.desk.secondsToJob());
      await this.begins(runner, act);
    } else process.says('wakes');
    await this.goesOn(process, step.upTo);
    if (process.isBusy) process.says(`stands still before it ${process.next.what}`);
  }

  private async begins({ process, rail }: Runner, act: Act): Promise<void> {
    process.says(act === 'job' ? 'the job' : act);
    await process.begins(() => this.desk.does(act, { process, rail }));
    await this.check();
  }

  private async goesOn(process: Process, upTo: Extract<Step, { kind: 'runs' }>['upTo']): Promise<void> {
    let isCounting = upTo.from === 'start';
    let left = upTo.from === 'end' ? Infinity : upTo.stops;
    while (process.isBusy) {
      if (upTo.from === 'money' && process.next.isMoney) isCounting = true;
      if (isCounting && left <= 0) return;
      if (isCounting) left -= 1;
      await process.goesOn();
      await this.check();
    }
  }

  private async toItsEnd(runner: Runner, act?: Act): Promise<void> {
    const { process } = runner;
    process.weather = CALM;
    if (act && !process.isBusy) await this.begins(runner, act);
    else if (process.isBusy) process.says('wakes');
    await this.goesOn(process, { from: 'end' });
  }

  private async waits(seconds: number): Promise<void> {
    if (seconds === 0) return;
    this.parts.clock.advance(seconds);
    this.lines.push(`${seconds} s later`);
    await this.check();
  }

  private async happens(event: number): Promise<void> {
    const all = Object.entries(this.given.events(this.order.railKey));
    const [name, happen] = all[event % Math.max(all.length, 1)] ?? [];
    if (!happen) return;
    this.lines.push(`at the provider: ${name}`);
    await happen();
    await this.check();
  }

  /** What has to hold at any moment. */
  private async check(): Promise<void> {
    const { amountCents, railKey } = this.order;
    const [out, landed] = [await this.out(), await this.landed()];
    const { status, open } = this.desk.payout.now;
    const asked = `${amountCents} were asked for`;
    if (out > amountCents) throw new Error(`It was paid more than once: ${out} are out, ${asked} (${railKey}).`);
    if (landed > amountCents) throw new Error(`It was paid more than once: ${landed} have landed, ${asked}.`);
    const isOver = !isUnderWay(this.desk.payout.now, this.parts.clock.now().getTime());
    const isNo = status === 'refused' || (status === 'to_send' && open.length === 0);
    if (isNo && isOver && out > 0) throw new Error(`It counts as refused, and ${out} are out.`);
    if (this.deniedAs !== null && out > 0)
      throw new Error(`Asked at rest the rail answers '${this.deniedAs}', and ${out} are out.`);
    this.deniedAs = null;
  }

  private async ends(): Promise<Ending> {
    const { status } = this.desk.payout.now;
    const out = await this.out();
    if (status === 'settled' && out !== this.order.amountCents)
      throw new Error(`It counts as paid, and ${out} are out of ${this.order.amountCents}.`);
    if (status === 'returned' && out > 0) throw new Error(`It counts as returned, and ${out} are out.`);
    return status;
  }

  private async out(): Promise<number> {
    const { out, reached, world } = this.given;
    const { railKey } = this.order;
    return Math.max((await (out ?? world.out?.bind(world))?.(railKey)) ?? 0, reached?.(railKey) ?? 0);
  }

  private async landed(): Promise<number> {
    const movements = await this.given.world.movements(this.order.railKey);
    return movements.reduce((sum, { amountCents }) => sum + amountCents, 0);
  }

  private async another(name: string): Promise<Runner> {
    const { definition } = this.subject;
    const { clock, store } = this.parts;
    const started = clock.now().getTime();
    const at = (): string => String((clock.now().getTime() - started) / 1000).padStart(6);
    const process = new Process(name, (line) => void this.lines.push(`${at()} s  ${line}`));
    const rail = definition.create({
      ...{ clock, store: storeOf(process, store), log: new RecordingLog(), deployment: 'histories' },
      ...{ settings: await this.settingsOf(process), hint: async () => undefined },
    });
    return { process, rail };
  }

  /** With a door in the place of the provider, and with time enough to stand still. */
  private async settingsOf(process: Process): Promise<Record<string, string>> {
    const { world, door } = this.given;
    const settings = settingsOf(this.subject, world);
    if (!door) return settings;
    const short = this.given.short ?? ((isShort: boolean) => this.short(isShort));
    const opened = await Door.open(process, { ...door, short, now: () => this.parts.clock.now() });
    this.doors.push(opened);
    return Object.fromEntries(
      Object.entries(settings).map(([name, value]) => {
        if (name.endsWith('_TIMEOUT_MS')) return [name, '600000'];
        return [name, value === door.target ? opened.url : value];
      }),
    );
  }

  private async short(isShort: boolean): Promise<void> {
    const { currency } = this.order;
    // Some providers look into their books only when they are asked.
    await this.out();
    await this.given.world.holds?.({ currency, availableCents: isShort ? 0 : PLENTY_CENTS, pendingCents: 0 });
  }

  private async close(): Promise<void> {
    await Promise.all(this.doors.map((door) => door.close()));
    await this.given.world.close?.();
  }
}

function settingsOf({ definition }: HistorySubject, { settings }: RailWorld): Record<string, string> {
  const defaults = definition.settings.flatMap(({ env, default: usual }) => (usual ? [[env, usual]] : []));
  return { ...Object.fromEntries(defaults), ...settings };
}

/** With what led to it. */
export class WrongHistory extends Error {
  constructor({ message }: Error, lines: readonly string[]) {
    super(`${message}\n${lines.join('\n')}`);
  }
}

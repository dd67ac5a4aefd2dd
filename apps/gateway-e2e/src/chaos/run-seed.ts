/** One run of one seed: a world of its own, trouble for a while, healing, and a judgement. */
import { nowMs } from './now';
import { Healing, HURRIED, PATIENT } from './healing';
import { judge } from './judge/judge';
import type { Evidence } from './judge/evidence';
import type { Violation } from './judge/violation';
import { Nemesis } from './nemesis/nemesis';
import { planOf } from './nemesis/plan';
import { Workload } from './workload/workload';
import { type ChaosTopology, World } from './world/world';

export interface SeedOptions {
  seed: number;
  seconds: number;
  topology: ChaosTopology;
  /** The operator does at once what the schedules would within a minute. */
  hurried?: boolean;
}

export interface Verdict {
  options: SeedOptions;
  violations: Violation[];
  evidence: Evidence;
  figures: Record<string, number>;
  /** Where everything is that was written down. */
  directory: string;
  forget(): void;
}

/** `started` is given the world, so that whoever is interrupted can stop it. */
export async function runSeed(
  options: SeedOptions,
  started: (world: World) => void = () => undefined,
): Promise<Verdict> {
  const { seed, seconds, topology, hurried } = options;
  const world = new World(topology, seed);
  started(world);
  try {
    await world.start();
    const workload = new Workload(world, seed);
    await workload.prepare();
    world.chronicle.note('everything', `is there; the trouble begins, seed ${seed}`);
    workload.start();
    const struck = (payee: string): void => void workload.model.struck.set(payee, nowMs());
    await new Nemesis(world, planOf(seed, seconds, world.redis !== null), struck).run(seconds);
    await world.heal();
    await workload.stop();
    const healed = await new Healing(world, workload, hurried ? HURRIED : PATIENT).run();
    const { violations, evidence } = await judge(world, workload, healed);
    const { directory } = world.chronicle;
    return { options, violations, evidence, figures: figuresOf(evidence), directory, forget: () => world.forget() };
  } finally {
    await world.stop();
  }
}

function figuresOf({ model, movements, calls, happenings, payouts }: Evidence): Record<string, number> {
  const count = (what: RegExp): number => happenings.filter((one) => what.test(one.what)).length;
  const answers = model.asks.flatMap(({ tries }) => tries);
  return {
    asked: answers.length,
    unanswered: answers.filter(({ answer }) => /^no answer/.test(answer)).length,
    'answered 500': answers.filter(({ answer }) => answer.startsWith('500')).length,
    'answered 503': answers.filter(({ answer }) => answer.startsWith('503')).length,
    payouts: payouts.length,
    movements: movements.length,
    'calls of rails': calls.length,
    kills: count(/^killed/),
    freezes: count(/^stopped,/),
    'ends of sessions': count(/sessions ended/),
    'restarts of PostgreSQL': count(/immediate mode/),
    'ended by themselves': count(/ended by itself/),
  };
}

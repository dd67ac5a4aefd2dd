/** After the trouble: everything comes to rest by itself, and then everything that could go on is asked to. */
import { setTimeout as pause } from 'node:timers/promises';
import { nowMs } from './now';
import { evidenceOf, paymentsIn } from './judge/evidence';
import { unnoticed, untoldOf } from './judge/notice';
import { type Left, NEVER_PAID } from './judge/rest';
import type { Violation } from './judge/violation';
import { LEDGER_FILE, type LedgerLine, readLines } from './provider/ledger';
import { pushSome, remedy, withdraw } from './workload/deeds';
import { operatorWords } from './workload/operator-words';
import type { Party } from './workload/model';
import type { Workload } from './workload/workload';
import type { World } from './world/world';

export interface Patience {
  /** How long everything is left to itself before the operator has the rails asked. */
  aloneMs: number;
  /** And how long after that, at most. */
  restMs: number;
  /** How long money may have moved before somebody is told; in a hurry the operator asks for that too. */
  noticeMs: number;
  asks: boolean;
}

/** A payout asks its rail ever more seldom, so it may take a while; a minute is what is promised for drift. */
export const PATIENT: Patience = { aloneMs: 60_000, restMs: 60_000, noticeMs: 75_000, asks: false };
/** The operator does at once what the schedules would. */
export const HURRIED: Patience = { aloneMs: 4_000, restMs: 90_000, noticeMs: 60_000, asks: true };

export interface Healed {
  left: Left;
  untold: Violation[];
}

const ROUNDS = 6;
/** Its words are nobody else's. */
const LAST_ACTOR = 100;
const ENOUGH_CENTS = 100_000_000;

export class Healing {
  constructor(
    private readonly world: World,
    private readonly workload: Workload,
    private readonly patience: Patience,
  ) {}

  /** Returns what is left undone, and of what money that moved nobody was told in time. */
  async run(): Promise<Healed> {
    const healedAt = nowMs();
    await this.liftBlocks();
    await this.comeToRest();
    // Before anybody tries again: to try again is to ask, and who asks is told.
    const untold = await this.untold(healedAt);
    await this.liftBlocks();
    for (let round = 0; round < ROUNDS && (await this.goOn(round)); round += 1) await this.comeToRest();
    untold.push(...(await this.untold(healedAt)));
    return { left: await this.left(), untold };
  }

  private async liftBlocks(): Promise<void> {
    const { model, caller } = this.workload;
    const operator = operatorWords(caller, model);
    // Whatever was said last: a process that stood still may have done something else since.
    for (const payee of model.blocks.keys()) await operator.block(payee, false);
    for (const party of model.suspensions.keys()) await operator.suspend(party, false);
    await operator.deposit(model.parties.at(-1) as Party, ENOUGH_CENTS, 'enough for all');
  }

  private async comeToRest(): Promise<void> {
    if (await this.rests(this.patience.aloneMs)) return;
    await this.reconcile();
    await this.rests(this.patience.restMs);
  }

  private async rests(withinMs: number): Promise<boolean> {
    const deadline = nowMs() + withinMs;
    for (;;) {
      const under = await this.world.postgres.rows(UNDER_WAY);
      const jobs = await this.world.postgres.rows(TO_DO);
      if (under.length === 0 && jobs.length === 0 && this.providerRests()) return true;
      if (nowMs() > deadline) return false;
      await pause(300);
    }
  }

  private providerRests(): boolean {
    const ledger = readLines<LedgerLine>(this.world.chronicle.directory, LEDGER_FILE);
    return paymentsIn(ledger).every(({ next }) => next === null);
  }

  private async reconcile(): Promise<void> {
    this.world.chronicle.note('operator', 'has every rail asked');
    await this.workload.caller.asOperator({ method: 'POST', path: '/jobs/reconcile/run', what: 'reconcile' });
  }

  /** Whether there was anything that could go on. */
  private async goOn(round: number): Promise<boolean> {
    const { model, caller } = this.workload;
    const scene = this.workload.scene(LAST_ACTOR + round);
    const payeeById = new Map(model.payees.map((payee) => [payee.id, payee]));
    const resting = await this.world.postgres.rows<Resting>(RESTING, [NEVER_PAID]);
    const owed = await this.world.postgres.rows<{ payee_id: string }>(OWED);
    this.world.chronicle.note(
      'clients',
      `go on with ${resting.length} payouts and ${owed.length} payees, round ${round + 1}`,
    );
    for (const one of resting) {
      const payee = payeeById.get(one.payee_id);
      if (payee) await remedy({ caller }, payee, one.id, remedyOf(one));
    }
    for (const { payee_id } of owed) {
      const payee = payeeById.get(payee_id);
      // With one more row the code is another one, and a payout that moved after all is paid again if nobody asks.
      if (payee && round === 0 && scene.random() < 0.7) await pushSome(scene, payee);
      if (payee) await withdraw(scene, payee);
    }
    return resting.length + owed.length > 0;
  }

  private async untold(healedAt: number): Promise<Violation[]> {
    const { noticeMs, asks } = this.patience;
    for (;;) {
      const evidence = await evidenceOf(this.world, this.workload.model);
      const movements = unnoticed(evidence);
      const since = Math.max(healedAt, ...movements.map(({ at }) => at));
      if (movements.length === 0 || nowMs() > since + noticeMs)
        return movements.map((movement) => untoldOf(evidence, movement, nowMs() - since));
      if (asks) await this.reconcile();
      await pause(2_000);
    }
  }

  private async left(): Promise<Left> {
    const jobs = await this.world.postgres.rows<Left['jobs'][number]>(OVERDUE);
    const [idle] = await this.world.postgres.rows<{ count: number }>(IDLE);
    return { jobs, idle: idle?.count ?? 0 };
  }
}

interface Resting {
  id: string;
  payee_id: string;
  status: string;
  status_reason: string | null;
}

/** Rows that went elsewhere under their code have another one once they are cancelled and withdrawn again, and the payout says so. */
function remedyOf({ status, status_reason }: Resting): 'cancel' | 'release' | 'retry' {
  if (status === 'failed') return 'retry';
  return status_reason?.includes('cancel it, and withdraw them again') ? 'cancel' : 'release';
}

const UNDER_WAY = `SELECT FROM payouts WHERE status IN ('requested', 'authorized', 'submitted')`;
/** What waits for an hour that is still to come, or for somebody else's server, is not to be waited for. */
const LATER = `name IN ('payout.retry', 'event.retry', 'mail.send')`;
const TO_DO = `SELECT FROM jobs WHERE NOT ${LATER} AND run_at < now() + interval '10 seconds'`;
const OVERDUE = `SELECT name, entity_id::text, last_error FROM jobs WHERE run_at < now() - interval '10 seconds'`;
const IDLE = `
  SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE application_name LIKE 'payout-gateway%' AND state LIKE 'idle in transaction%'
    AND state_change < now() - interval '15 seconds'`;
const RESTING = `
  SELECT id::text, payee_id::text, status, status_reason FROM payouts
  WHERE superseded_by IS NULL AND NOT coalesce(reason, '') = ANY($1::text[])
    AND (status = 'held' OR (status = 'failed' AND failure_kind = 'transient' AND NOT consolidates))
  ORDER BY id`;
const OWED = `SELECT DISTINCT payee_id::text FROM disbursements WHERE status = 'owed'`;

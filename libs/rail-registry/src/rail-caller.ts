/**
 * Calls rails. Here, and only here, a throw, a late answer or an answer about other money becomes `unknown`, its words become
 * such that they can be kept, every call is logged in one line, and no call is made while a database transaction is open.
 */
import { Injectable } from '@nestjs/common';
import { DatabaseClock, Db } from '#libs/db';
import {
  type AccountFact,
  type LookupFact,
  listsMovements,
  opensAccounts,
  type Rail,
  type RailFunds,
  type RailMovement,
  type RailOrder,
  reportsFunding,
  type SubmitFact,
  type Unknown,
} from '#libs/rail-kit';
import { log, metrics } from '#libs/telemetry';
import { Rails } from './rails';
import { legible, soundFact, soundMovements } from './sound';

const MONEY_DEADLINE_MS = 20_000;
const READ_DEADLINE_MS = 3_000;

@Injectable()
export class RailCaller {
  private readonly answered = new Map<string, boolean>();

  constructor(
    private readonly rails: Rails,
    private readonly db: Db,
    private readonly clock: DatabaseClock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  /** What a question that is put now is dated with: never later than it is put, or no later one would count. */
  askedAt(): Date {
    return this.clock.earliest();
  }

  /** `beginBefore`: whoever comes to it later has lost its turn, and another process may have sent the order by then. */
  submit(railName: string, order: RailOrder, beginBefore: number): Promise<SubmitFact | { kind: 'not_sent' }> {
    const submit = async (rail: Rail, signal: AbortSignal): Promise<SubmitFact | { kind: 'not_sent' }> => {
      if (this.clock.now().getTime() >= beginBefore) return { kind: 'not_sent' };
      return soundFact(await rail.submit(order, { signal }), order);
    };
    return this.call(railName, 'submit', MONEY_DEADLINE_MS, submit, order);
  }

  /** Somebody who waits for the answer is told soon that there is none. */
  lookup(railName: string, order: RailOrder, { patient = true } = {}): Promise<LookupFact> {
    const deadlineMs = patient ? MONEY_DEADLINE_MS : READ_DEADLINE_MS;
    const lookup = async (rail: Rail): Promise<LookupFact> => soundFact(await rail.lookup(order), order);
    return this.call(railName, 'lookup', deadlineMs, lookup, order);
  }

  readAccount(railName: string, accountId: string): Promise<AccountFact> {
    return this.call<AccountFact>(railName, 'readAccount', READ_DEADLINE_MS, async (rail) =>
      opensAccounts(rail) ? rail.readAccount(accountId) : { kind: 'unconfirmed', detail: 'the rail keeps no accounts' },
    );
  }

  /** What the rail has in its own account; null if it does not tell, or cannot be asked. */
  async funding(railName: string): Promise<RailFunds[] | null> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !reportsFunding(rail)) return null;
    const fact = await this.call(railName, 'funding', READ_DEADLINE_MS, async () => ({
      kind: 'funds' as const,
      funds: await rail.funding(),
    }));
    return fact.kind === 'funds' ? fact.funds : null;
  }

  listsMovements(railName: string): boolean {
    const rail = this.rails.find(railName)?.rail;
    return rail !== undefined && rail !== null && listsMovements(rail);
  }

  /** What the rail says it moved since then, and until then at least; null if it does not tell, or cannot be asked. */
  async movements(railName: string, since: Date, until?: Date): Promise<RailMovement[] | null> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !listsMovements(rail)) return null;
    const fact = await this.call(railName, 'movements', MONEY_DEADLINE_MS, async () => ({
      kind: 'movements' as const,
      movements: soundMovements(await rail.movements(since, until)),
    }));
    return fact.kind === 'movements' ? fact.movements : null;
  }

  /** Whether the rail's last call had an answer; null if none was made by this process. */
  healthOf(railName: string): boolean | null {
    return this.answered.get(railName) ?? null;
  }

  private async call<Fact extends { kind: string }>(
    railName: string,
    call: string,
    deadlineMs: number,
    work: (rail: Rail, signal: AbortSignal) => Promise<Fact>,
    order?: RailOrder,
  ): Promise<Fact | Unknown> {
    this.db.assertNoTransaction(`A call to rail ${railName}`);
    const startedAt = performance.now();
    const fact = await this.factOf(railName, deadlineMs, work);
    const ms = performance.now() - startedAt;
    this.answered.set(railName, fact.kind !== 'unknown');
    metrics.railCalls.observe({ rail: railName, call, fact: fact.kind }, ms / 1000);
    const detail = fact.kind === 'unknown' ? (fact as Unknown).detail : undefined;
    const fields = { event: 'rail.called', rail: railName, call, fact: fact.kind, detail, payoutId: order?.payoutId };
    log.info({ ...fields, ms: Math.round(ms * 10) / 10 }, 'rail called');
    return fact;
  }

  private async factOf<Fact>(
    railName: string,
    deadlineMs: number,
    work: (rail: Rail, signal: AbortSignal) => Promise<Fact>,
  ): Promise<Fact | Unknown> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail) return { kind: 'unknown', detail: `rail ${railName} is not configured in this deployment` };
    const giveUp = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Unknown>((resolve) => {
      timer = setTimeout(() => {
        resolve({ kind: 'unknown', detail: `no answer within ${deadlineMs} ms` });
        giveUp.abort();
      }, deadlineMs);
    });
    try {
      return legible(await Promise.race([work(rail, giveUp.signal), late]));
    } catch (error) {
      return { kind: 'unknown', detail: legible((error as Error).message.slice(0, 200)) };
    } finally {
      clearTimeout(timer);
    }
  }
}

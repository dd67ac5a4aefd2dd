/**
 * Calls rails. Here, and only here, a throw, a late answer or an answer about other money becomes `unknown`, every call is
 * logged in one line, and no call is made while a database transaction is open.
 */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
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

const MONEY_DEADLINE_MS = 20_000;
const READ_DEADLINE_MS = 3_000;

@Injectable()
export class RailCaller {
  private readonly answered = new Map<string, boolean>();

  constructor(
    private readonly rails: Rails,
    private readonly db: Db,
  ) {}

  submit(railName: string, order: RailOrder): Promise<SubmitFact> {
    return this.call(
      railName,
      'submit',
      MONEY_DEADLINE_MS,
      async (rail) => checked(await rail.submit(order), order),
      order,
    );
  }

  lookup(railName: string, order: RailOrder): Promise<LookupFact> {
    return this.call(
      railName,
      'lookup',
      MONEY_DEADLINE_MS,
      async (rail) => checked(await rail.lookup(order), order),
      order,
    );
  }

  readAccount(railName: string, accountId: string): Promise<AccountFact> {
    return this.call<AccountFact>(railName, 'readAccount', READ_DEADLINE_MS, async (rail) =>
      opensAccounts(rail) ? rail.readAccount(accountId) : { kind: 'unconfirmed', detail: 'the rail keeps no accounts' },
    );
  }

  /** What the rail has in its own account; null where it does not tell, or cannot be asked. */
  async funding(railName: string): Promise<RailFunds[] | null> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !reportsFunding(rail)) return null;
    const fact = await this.call(railName, 'funding', READ_DEADLINE_MS, async () => ({
      kind: 'funds' as const,
      funds: await rail.funding(),
    }));
    return fact.kind === 'funds' ? fact.funds : null;
  }

  /** What the rail says it moved since then; null where it does not tell, or cannot be asked. */
  async movements(railName: string, since: Date): Promise<RailMovement[] | null> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !listsMovements(rail)) return null;
    const fact = await this.call(railName, 'movements', MONEY_DEADLINE_MS, async () => ({
      kind: 'movements' as const,
      movements: await rail.movements(since),
    }));
    return fact.kind === 'movements' ? fact.movements : null;
  }

  /** Whether the rail's last call had an answer; null where none was made by this process. */
  healthOf(railName: string): boolean | null {
    return this.answered.get(railName) ?? null;
  }

  private async call<Fact extends { kind: string }>(
    railName: string,
    call: string,
    deadlineMs: number,
    work: (rail: Rail) => Promise<Fact>,
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
    work: (rail: Rail) => Promise<Fact>,
  ): Promise<Fact | Unknown> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail) return { kind: 'unknown', detail: `rail ${railName} is not configured in this deployment` };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Unknown>((resolve) => {
      timer = setTimeout(resolve, deadlineMs, { kind: 'unknown', detail: `no answer within ${deadlineMs} ms` });
    });
    try {
      return await Promise.race([work(rail), late]);
    } catch (error) {
      return { kind: 'unknown', detail: (error as Error).message.slice(0, 200) };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What a provider says it moved must be what it was asked to move, or nobody knows what happened. */
function checked<Fact extends LookupFact>(fact: Fact, order: RailOrder): Fact | Unknown {
  const echo = 'echo' in fact ? fact.echo : undefined;
  if (!echo || (echo.amountCents === order.amountCents && echo.currency === order.currency)) return fact;
  const asked = `${order.amountCents} ${order.currency}`;
  return {
    kind: 'unknown',
    detail: `the rail speaks of ${echo.amountCents} ${echo.currency}, it was asked for ${asked}`,
  };
}

/**
 * Calls rails. Here, and only here, a throw, a late answer or an answer about other money becomes `unknown`, its words become
 * such that they can be kept, every call is logged in one line, and no call is made while a database transaction is open.
 */
import { Injectable } from '@nestjs/common';
import { DatabaseClock, Db, onBehalfOfAll } from '#libs/db';
import { noteOnJob } from '#libs/jobs';
import {
  type LookupAnswer,
  type LookupFact,
  listsMovements,
  movesInLegs,
  type Notice,
  type NoticeReading,
  type NotNow,
  type Rail,
  type RailFunds,
  type RailLeg,
  type RailMovement,
  type RailOrder,
  readsNotices,
  reportsFunding,
  type SubmitAnswer,
  type SubmitFact,
  type Unknown,
  type Verification,
  type VerificationAnswer,
  verifies,
} from '#libs/rail-kit';
import { log, metrics } from '#libs/telemetry';
import type { Move, NotMade, Question, Turn, Work } from './calls';
import { type CallOff, inTime } from './in-time';
import { type Listing, pagesOf, wholeList } from './listed-pages';
import { RailIdentity } from './rail-identity';
import { notNow, RailPauses } from './rail-pauses';
import { Rails } from './rails';
import { feeRefused, legible, soundFact } from './sound';
import { hasWaited, whileWanted } from './while-wanted';

const MONEY_DEADLINE_MS = 20_000;
const READ_DEADLINE_MS = 3_000;
const NOT_VERIFIED_SECONDS = 60;

const OF_ANOTHER_ACCOUNT: Unknown = { kind: 'unknown', detail: 'it was sent with another account of its provider' };

function sound<Fact extends LookupFact>(answer: Fact | NotNow, order: RailOrder): Fact | Unknown | NotNow {
  if (answer.kind === 'not_now') return answer;
  const fee = feeRefused(answer);
  if (fee)
    log.warn(
      { event: 'rail.fee_refused', payoutId: order.payoutId, cents: String(fee.amountCents) },
      'a fee is no money',
    );
  return soundFact(answer, order);
}

/** To whoever asks, a rail that cannot be asked now is one that cannot tell. */
async function told<Fact extends { kind: string }>(
  asking: Promise<Fact | NotNow>,
): Promise<Exclude<Fact, NotNow> | Unknown> {
  const answer = await asking;
  if (answer.kind === 'not_now') return { kind: 'unknown', detail: (answer as NotNow).detail };
  return answer as Exclude<Fact, NotNow>;
}

@Injectable()
export class RailCaller {
  private readonly answered = new Map<string, boolean>();
  /** By rail: calls that come together wait for one answer. */
  private readonly verifying = new Map<string, Promise<boolean>>();

  constructor(
    private readonly rails: Rails,
    private readonly pauses: RailPauses,
    private readonly identity: RailIdentity,
    private readonly db: Db,
    private readonly clock: DatabaseClock,
  ) {}

  now(): Date {
    return this.clock.now();
  }

  /** The time to date a question with that is put now: never later than it may be put, or no later one would count. */
  askedAt(): Date {
    return this.clock.nextDate();
  }

  submit(railName: string, order: RailOrder, turn: Turn): Promise<SubmitFact | NotMade> {
    return this.move(railName, { name: 'submit', order, ...turn }, (rail, signal) => rail.submit(order, { signal }));
  }

  /** A later call of a payout. If the provider does not know us it was not made, and waits until it does: money is out already. */
  async advance(railName: string, order: RailOrder, leg: RailLeg, turn: Turn): Promise<SubmitFact | NotMade> {
    const advance = async (rail: Rail, signal: AbortSignal): Promise<SubmitAnswer> =>
      movesInLegs(rail)
        ? rail.advance(order, leg, { signal })
        : { kind: 'unknown', detail: 'the rail does not move in legs' };
    const fact = await this.move(railName, { name: 'advance', order, ...turn }, advance);
    return fact.kind === 'refused' && fact.failure === 'credentials' ? { kind: 'not_sent' } : fact;
  }

  /** Somebody who waits for the answer is told soon that there is none. `byCaller`: it is a question like others of callers. */
  lookup(
    railName: string,
    order: RailOrder,
    { patient = true, byCaller = false, movesNothing, isStopped, isClear, isPut }: Question = {},
  ): Promise<LookupFact> {
    const deadlineMs = patient ? MONEY_DEADLINE_MS : READ_DEADLINE_MS;
    const lookup: Work<LookupAnswer> = async (rail, signal, { sentElsewhere, callOff }) => {
      const known = await movesNothing?.();
      const asking = { signal, movesNothing: sentElsewhere ? ('sent_elsewhere' as const) : known };
      signal.throwIfAborted();
      const stops = asking.movesNothing === undefined ? isStopped : undefined;
      const beforeSend = stops && (async () => (await stops()) || !(await isClear?.()));
      const look = () => {
        isPut?.();
        return rail.lookup(order, { ...asking, ...(beforeSend ? { isStopped: beforeSend } : {}) });
      };
      const answer = await (stops ? whileWanted(stops, { signal, callOff }, look) : look());
      const fact = sound(answer, order);
      const isNo = fact.kind === 'never_seen' || fact.kind === 'refused';
      if (!sentElsewhere || !isNo) return fact;
      // Another account cannot have refused it. Whoever asked may not know that it is bound by now: to them that is no answer.
      return known === 'sent_elsewhere' ? { kind: 'never_seen' } : OF_ANOTHER_ACCOUNT;
    };
    return told(this.call(railName, byCaller ? 'lookupForCaller' : 'lookup', deadlineMs, lookup, order));
  }

  /** Whether its credentials work, and are those that the rail is bound to. */
  isVerified(railName: string): Promise<boolean> {
    const underWay = this.verifying.get(railName);
    if (underWay) return underWay;
    // Others wait for it too: it is no single client's work.
    const verification = onBehalfOfAll(() => this.verifyNow(railName)).finally(() => this.verifying.delete(railName));
    this.verifying.set(railName, verification);
    return verification;
  }

  /** Which account the rail's credentials belong to; null if it cannot tell at all. */
  async verify(railName: string): Promise<Verification | null> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !verifies(rail)) return null;
    const verify = (_: Rail, signal: AbortSignal): Promise<VerificationAnswer> => rail.verify({ signal });
    return told(this.call(railName, 'verify', MONEY_DEADLINE_MS, verify));
  }

  /** How much the rail has in its own account; null if it does not tell, or cannot be asked. */
  async funding(railName: string): Promise<RailFunds[] | null> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !reportsFunding(rail)) return null;
    const fact = await this.call(railName, 'funding', READ_DEADLINE_MS, async (_, signal) => ({
      kind: 'funds' as const,
      funds: await rail.funding({ signal }),
    }));
    return fact.kind === 'funds' ? fact.funds : null;
  }

  listsMovements(railName: string): boolean {
    const rail = this.rails.find(railName)?.rail;
    return rail !== undefined && rail !== null && listsMovements(rail);
  }

  /**
   * The rail's own list of what it moved since then, and until then at least, including movements of another deployment that shares its
   * account; null if it does not tell, or cannot be asked.
   */
  async movements(railName: string, since: Date, until?: Date): Promise<RailMovement[] | null> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !listsMovements(rail)) return null;
    const listed = new AbortController();
    try {
      const begin = (): Listing => pagesOf(rail.movements(since, until, { signal: listed.signal }));
      return await wholeList(railName, begin, (read) => this.call(railName, 'movements', MONEY_DEADLINE_MS, read));
    } finally {
      listed.abort();
    }
  }

  /** For a job that waits for it: notes with the job why, and returns in how many seconds to come again; null: nobody knows. */
  putOff(railName: string): Promise<number | null> {
    return this.pauses.putOff(railName);
  }

  takesNotices(railName: string): boolean {
    const rail = this.rails.find(railName)?.rail;
    return rail != null && readsNotices(rail);
  }

  /** A notice's signature shows whose it is, so it waits for nobody's turn at the provider. Its codes stay as they are. */
  readNotice(railName: string, notice: Notice): Promise<NoticeReading | Unknown> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !readsNotices(rail)) throw new Error(`Rail ${railName} takes no notices.`);
    this.db.assertNoTransaction(`A call to rail ${railName}`);
    return inTime(READ_DEADLINE_MS, (signal) => rail.readNotice(notice, { signal }));
  }

  /** Whether the rail's last call had an answer; null if none was made by this process. */
  healthOf(railName: string): boolean | null {
    return this.answered.get(railName) ?? null;
  }

  private async move(
    railName: string,
    { name, order, takenAt, beginBefore, isStopped }: Move,
    work: (rail: Rail, signal: AbortSignal) => Promise<SubmitAnswer>,
  ): Promise<SubmitFact | NotMade> {
    const inTurn: Work<SubmitAnswer | NotMade> = async (rail, signal, { sentElsewhere, callOff }) => {
      const isLate = (): boolean => this.clock.now().getTime() >= beginBefore;
      if (isLate() || sentElsewhere) return { kind: 'not_sent' };
      const wanted = async (): Promise<SubmitAnswer | NotMade> => {
        if (hasWaited(takenAt, this.clock.now()) && ((await isStopped?.()) || isLate())) return { kind: 'not_sent' };
        return work(rail, signal);
      };
      const answer = await whileWanted(isStopped, { signal, callOff }, wanted);
      return answer.kind === 'not_sent' ? answer : sound(answer, order);
    };
    const fact = await this.call(railName, name, MONEY_DEADLINE_MS, inTurn, order);
    if (fact.kind === 'refused' && fact.failure === 'credentials') await this.credentialsRefused(railName, fact.reason);
    return fact.kind === 'not_now' ? { kind: 'not_sent' } : fact;
  }

  /** One call of a power that this lib has a caller of its own for. Of what is no news its words are logged. */
  async call<Fact extends { kind: string }>(
    railName: string,
    call: string,
    deadlineMs: number,
    work: Work<Fact>,
    order?: RailOrder,
  ): Promise<Fact | Unknown | NotNow> {
    this.db.assertNoTransaction(`A call to rail ${railName}`);
    const startedAt = performance.now();
    const { notYet, sentElsewhere } = await this.standing(railName, call, order?.payoutId);
    const fact =
      notYet ??
      (await this.factOf(railName, deadlineMs, (rail, signal, callOff) =>
        work(rail, signal, { sentElsewhere, callOff }),
      ));
    if (!notYet && fact.kind === 'not_now') await this.pauses.heard(railName, call, fact as NotNow);
    const ms = performance.now() - startedAt;
    if (fact.kind !== 'not_now') this.answered.set(railName, fact.kind !== 'unknown');
    metrics.railCalls.observe({ rail: railName, call, fact: fact.kind }, ms / 1000);
    const detail = fact.kind === 'unknown' || fact.kind === 'not_now' ? (fact as Unknown | NotNow).detail : undefined;
    const fields = { event: 'rail.called', rail: railName, call, fact: fact.kind, detail, payoutId: order?.payoutId };
    // Keep on the job what the rail said about the payout: nothing else keeps it.
    if (order) noteOnJob(detail === undefined ? null : `${call}: ${detail}`);
    log.info({ ...fields, ms: Math.round(ms * 10) / 10 }, 'rail called');
    return fact;
  }

  private async verifyNow(railName: string): Promise<boolean> {
    const said = await this.verify(railName);
    return said === null || this.identity.judge(railName, said);
  }

  /** Without the database the payout's own refusal is not lost: the next one that is sent closes the lane. */
  private async credentialsRefused(railName: string, reason: string): Promise<void> {
    await this.identity
      .refused(railName, reason)
      .catch(({ message }: Error) => log.warn({ event: 'rail.not_closed', rail: railName }, message));
  }

  /**
   * Why the call is not to be made now: the rail's credentials are not those it is bound to, or it is not its turn. And whether the payout was
   * sent with another account than the call is made with: that is read last, because it may have changed while it was verified.
   */
  private async standing(
    railName: string,
    call: string,
    payoutId?: string,
  ): Promise<{ notYet: NotNow | null; sentElsewhere: boolean }> {
    const rail = this.rails.find(railName)?.rail;
    if (call === 'verify' || !rail || !verifies(rail))
      return { notYet: await this.pauses.turn(railName, call), sentElsewhere: false };
    const known = () => this.identity.knownAccount(railName, payoutId);
    const account = (await known()) ?? ((await this.isVerified(railName)) ? await known() : null);
    if (!account)
      return { notYet: notNow(NOT_VERIFIED_SECONDS, 'its credentials are not verified'), sentElsewhere: false };
    return { notYet: await this.pauses.turn(railName, call), sentElsewhere: account.sentElsewhere };
  }

  private async factOf<Fact>(
    railName: string,
    deadlineMs: number,
    work: (rail: Rail, signal: AbortSignal, callOff: CallOff) => Promise<Fact>,
  ): Promise<Fact | Unknown> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail) return { kind: 'unknown', detail: `rail ${railName} is not configured in this deployment` };
    try {
      return legible(await inTime(deadlineMs, (signal, callOff) => work(rail, signal, callOff)));
    } catch (error) {
      return { kind: 'unknown', detail: legible((error as Error).message.slice(0, 200)) };
    }
  }
}

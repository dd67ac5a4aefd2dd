/** Brings a payout that is under way one step further, whoever left it there. */
import { Injectable } from '@nestjs/common';
import { backoffSeconds } from '#libs/domain';
import { DatabaseClock } from '#libs/db';
import { type HeldJob, type Job, type JobOutcome, OnJob } from '#libs/jobs';
import {
  isForItsOwnJob,
  isLegHonoured,
  isPaidAfterAll,
  isUnderWay,
  lastLooks,
  type Leg,
  legToSend,
  mayMoveAfterAll,
  type Payout,
  saysNothingNew,
  secondsToAskAgain,
  secondsToNextLook,
  secondsUntilDue,
  secondsUntilOver,
} from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { AskRail } from '../use-cases/ask-rail';
import { SendToRail } from '../use-cases/send-to-rail';

/** A rail is asked again soon at first, and patiently later. */
const ASK_AGAIN = { firstSeconds: 2, capSeconds: 300 };
/** But soon for as long as nobody knows what a call of it did: a rail that comes back is asked within a minute. */
const ASK_IN_DOUBT = { firstSeconds: 2, capSeconds: 45 };
/** And once it came to rest here, for as long as the rail cannot tell. */
const ASK_AT_REST = { firstSeconds: 5, capSeconds: 3600 };
/** For a payout that waits for its client to be active again, or for its rail; news of that comes sooner. */
const WAIT_SECONDS = 60;

@Injectable()
export class DrivePayoutJob {
  constructor(
    private readonly reads: PayoutReads,
    private readonly sender: SendToRail,
    private readonly rail: AskRail,
    private readonly clock: DatabaseClock,
  ) {}

  @OnJob('payout.drive')
  async drive(payoutId: string, attempts: number, job: HeldJob): Promise<JobOutcome> {
    const payout = await this.reads.find(payoutId);
    const after = payout && (await this.driven(payout, job));
    if (!after || !isUnderWay(after)) return undefined;
    if (after.status === 'authorized' || after.toSend) return { againInSeconds: await this.waitFor(after) };
    const leg = this.legToSend(after);
    if (leg) return { againInSeconds: secondsUntilDue(leg, this.clock.earliest()) || (await this.waitFor(after)) };
    return { againInSeconds: this.askAgainIn(after, attempts) };
  }

  /** Past the time for which its key is honoured it is only asked about. */
  private legToSend(payout: Payout): Leg | null {
    const leg = legToSend(payout);
    return leg && isLegHonoured(leg, this.rail.traits(payout), this.rail.now()) ? leg : null;
  }

  /** Its provider may have said when it is of use to try again. */
  private async waitFor(payout: Payout): Promise<number> {
    return Math.min((await this.rail.putOff(payout)) ?? WAIT_SECONDS, WAIT_SECONDS);
  }

  /** As soon as no call can be under way any more, a refusal counts. */
  private askAgainIn(payout: Payout, attempts: number): number {
    const patient = backoffSeconds(payout.openAttempts.length > 0 ? ASK_IN_DOUBT : ASK_AGAIN, attempts);
    return Math.min(patient, secondsUntilOver(payout, this.clock.earliest()) ?? patient);
  }

  @OnJob('payout.look')
  async look(payoutId: string, attempts: number, { createdAt }: Pick<Job, 'createdAt'>): Promise<JobOutcome> {
    const payout = await this.reads.find(payoutId);
    // A payout at rest may have moved after all: if it was ever sent, or an operator found it paid, asking is worth it.
    if (!payout || (payout.submittedAt === null && !isPaidAfterAll(payout))) return undefined;
    const fact = await this.rail.ask(payout);
    if (isForItsOwnJob(payout, fact)) return undefined;
    const after = await this.rail.apply(payout, fact);
    // What is under way has a job that goes on asking. Of what came to rest nothing else would bring the news again.
    if (after.status === 'submitted') return undefined;
    if (fact.kind === 'unknown') return { againInSeconds: backoffSeconds(ASK_AT_REST, attempts) };
    const seconds = saysNothingNew(payout, after, fact) ? secondsToAskAgain(after, createdAt, this.clock.now()) : null;
    return seconds === null ? undefined : { againInSeconds: seconds };
  }

  /** A reader's question is a caller's: its provider wants a rest from those alone. The payout's own job goes on asking. */
  @OnJob('payout.look_for_reader')
  async lookForReader(payoutId: string): Promise<void> {
    const payout = await this.reads.find(payoutId);
    if (payout?.status !== 'submitted') return;
    const fact = await this.rail.ask(payout, { byCaller: true });
    if (!isForItsOwnJob(payout, fact)) await this.rail.apply(payout, fact);
  }

  @OnJob('payout.second_look')
  async lookOnceMore(payoutId: string, attempts: number): Promise<JobOutcome> {
    const payout = await this.reads.find(payoutId);
    if (!payout || !mayRest(payout)) return undefined;
    const fact = mayMoveAfterAll(payout) ? await this.rail.ask(payout, { patient: false }) : null;
    const after = fact ? await this.rail.apply(payout, fact) : payout;
    if (!mayRest(after)) return undefined;
    const soon = fact?.kind === 'unknown' || payout.sentElsewhere ? backoffSeconds(ASK_AT_REST, attempts) : null;
    const seconds = secondsToNextLook(after, this.clock.now(), lastLooks(after, this.rail.traits(after)), soon);
    return seconds === null ? undefined : { againInSeconds: seconds };
  }

  private driven(payout: Payout, job: HeldJob): Promise<Payout> | Payout {
    const { status, toSend } = payout;
    if (status === 'authorized' || (status === 'submitted' && toSend)) return this.sender.submit(payout, job);
    if (this.legToSend(payout)) return this.sender.submit(payout, job);
    return isUnderWay(payout) ? this.sender.resume(payout, job) : payout;
  }
}

/** Came to rest, or was sent once more and may come to rest while this job is still held, and then nobody else sees to it. */
const mayRest = (payout: Payout): boolean =>
  mayMoveAfterAll(payout) || payout.status === 'authorized' || payout.status === 'submitted';

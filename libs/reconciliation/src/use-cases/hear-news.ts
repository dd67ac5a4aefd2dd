/**
 * A rail lists money for payouts that do not say so: it is asked about them. Payouts at rest are asked about now, a few at a time; those
 * under way have jobs that see to it, and the jobs are told. If the rail cannot tell now, or the news cannot be written in time, jobs ask
 * again until it is.
 */
import { Injectable } from '@nestjs/common';
import { onBehalf, troubleOf } from '#libs/db';
import { type Payout, saysNothingNew } from '#libs/payout-rules';
import { AskRail, PayoutReads, PayoutJobs } from '#libs/payouts';
import { log } from '#libs/telemetry';

const AT_ONCE = 8;
/** A question that a list gave rise to is put by the next comparisons too, for as long as the movement is listed. */
const AFTER_A_LIST_SECONDS = 600;

/** silent: the rail cannot tell. held: what it told could not be written down in time. nothing: what is known already. */
export type Heard = 'told' | 'nothing' | 'silent' | 'held';

type Told = (payouts: Payout[]) => Promise<void>;

@Injectable()
export class HearNews {
  constructor(
    private readonly reads: PayoutReads,
    private readonly asking: AskRail,
    private readonly jobs: PayoutJobs,
  ) {}

  /**
   * Of payouts of one rail, which is left alone as soon as it cannot tell. `tell` has each of them once it was asked about, or left to a job. What
   * cannot be left to a job, as somebody holds it, keeps none of the others from being asked about and told.
   */
  async of(payoutIds: string[], signal?: AbortSignal, tell: Told = () => Promise.resolve()): Promise<void> {
    const payouts = await this.reads.findAll(payoutIds);
    const failed: unknown[] = [];
    const leave = (some: Payout[], delaySeconds = 0): Promise<void> =>
      this.leave(some, delaySeconds).catch((error: unknown) => void failed.push(error));
    let resting = payouts.filter(({ status }) => status !== 'submitted');
    while (resting.length > 0 && !signal?.aborted) {
      const some = resting.slice(0, AT_ONCE);
      resting = resting.slice(AT_ONCE);
      const heard = await Promise.all(some.map((payout) => this.ofOne(payout)));
      const which = (what: Heard): Payout[] => some.filter((_, place) => heard[place] === what);
      const [silent, held] = [which('silent'), which('held')];
      // Each of them may take as long again: whose they are makes nobody wait for another one.
      const owners = new Set(held.map(({ clientId }) => clientId));
      const isLeft = ({ clientId }: Payout): boolean => silent.length > 0 || owners.has(clientId);
      await leave(which('nothing'), AFTER_A_LIST_SECONDS);
      const left = resting.filter(isLeft);
      await leave([...silent, ...held, ...left]);
      await tell([...some, ...left]);
      resting = resting.filter((payout) => !isLeft(payout));
    }
    if (!signal?.aborted) {
      const underWay = payouts.filter(({ status }) => status === 'submitted');
      await leave(underWay);
      await tell(underWay);
    }
    if (failed.length > 0) throw failed[0];
  }

  /**
   * To jobs, client by client: whoever waits for one that somebody holds keeps no other's from being told meanwhile. Those of all are tried
   * before one that could not be had ends the work, which begins again.
   */
  async leave(payouts: Payout[], delaySeconds = 0): Promise<void> {
    const failed: unknown[] = [];
    for (const whose of new Set(payouts.map(({ clientId }) => clientId))) {
      const theirs = payouts.filter(({ clientId }) => clientId === whose);
      await this.jobs.lookAll(theirs, delaySeconds).catch((error: unknown) => failed.push(error));
    }
    if (failed.length > 0) throw failed[0];
  }

  /**
   * One payout that cannot be changed, or not in time, is no reason to leave those of others. What it waits for, it waits for in its
   * client's share of connections.
   */
  async ofOne(payout: Payout): Promise<Heard> {
    try {
      return await onBehalf(payout.clientId, () => this.heard(payout));
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble?.isEverybodys) throw error;
      const { stack, message } = error as Error;
      const fields = { event: 'drift.look_up_failed', payoutId: payout.id };
      if (trouble) log.warn({ ...fields, kind: trouble.kind }, message);
      else log.error({ ...fields, stack }, message);
      return trouble ? 'held' : 'told';
    }
  }

  private async heard(payout: Payout): Promise<Heard> {
    const fact = await this.asking.ask(payout, { patient: false });
    const after = await this.asking.apply(payout, fact);
    if (fact.kind === 'unknown') return 'silent';
    return saysNothingNew(payout, after, fact) ? 'nothing' : 'told';
  }
}

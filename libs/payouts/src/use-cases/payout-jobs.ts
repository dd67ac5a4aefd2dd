/** Sees to it that a payout under way is looked at: at once if a worker submits it, in a while if this request does. */
import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '#libs/db';
import { Jobs } from '#libs/jobs';
import {
  concernsPayee,
  delayOf,
  isSentByRequest,
  isUnderWay,
  lacksRailFunds,
  mayMoveAfterAll,
  type Payout,
  type PayoutChange,
  SECOND_LOOK_SECONDS,
  secondsToRetry,
  waitsForPayee,
  withAttempt,
} from '#libs/payout-rules';
import { Rails } from '#libs/rail-registry';

const STALE_SECONDS = 60;
/** All who read a stale payout within these seconds share one question to its rail. */
const SHARED_QUESTION_SECONDS = 3;
/** Its payee may take weeks. */
const WAITING_QUESTION_SECONDS = 60;

export type InLine = Pick<Payout, 'id' | 'provider' | 'clientId'>;

/** A rail is asked so much at once, and its clients take turns. */
const placeOf = ({ provider, clientId }: InLine) => ({ lane: provider ?? '', owner: clientId });

@Injectable()
export class PayoutJobs {
  constructor(
    private readonly jobs: Jobs,
    private readonly rails: Rails,
    private readonly clock: DatabaseClock,
  ) {}

  /** The sends that the caller of a change makes itself are taken on with the change; jobs take on the others. */
  withOwnSends(changes: PayoutChange[]): PayoutChange[] {
    const now = this.clock.earliest();
    return changes.map((change) => {
      const { toSend, provider } = change.after;
      const mine = toSend && !change.byJob && isSentByRequest(change.after, this.rails.traits(provider));
      return mine ? withAttempt(change, now) : change;
    });
  }

  /** After a change: payouts under way get their job, those that came to rest need none. */
  async schedule(payouts: Payout[]): Promise<void> {
    const underWay = payouts.filter(isUnderWay);
    const atRest = payouts.filter((payout) => payout.sequence > 1 && !underWay.includes(payout));
    await this.jobs.add(
      underWay.map((payout) => ({
        name: 'payout.drive',
        entityId: payout.id,
        ...placeOf(payout),
        delaySeconds: delayOf(payout, this.clock.earliest()),
      })),
    );
    await this.retryLater(payouts.filter(lacksRailFunds));
    await this.lookOnceMore(payouts.filter(mayMoveAfterAll));
    await this.tellPayees(payouts.filter(concernsPayee));
    if (atRest.length > 0)
      await this.jobs.remove(
        'payout.drive',
        atRest.map(({ id }) => id),
      );
  }

  /** The rail has news about this payout; a job of its own, because the payout may come to rest before it is done. */
  look(payout: InLine, delaySeconds = 0): Promise<void> {
    return this.lookAll([payout], delaySeconds);
  }

  /** Its own job, at once. */
  driveNow(payout: InLine): Promise<void> {
    return this.jobs.add([{ name: 'payout.drive', entityId: payout.id, ...placeOf(payout) }]);
  }

  lookAll(payouts: InLine[], delaySeconds = 0): Promise<void> {
    return this.jobs.add(
      payouts.map((payout) => ({ name: 'payout.look', entityId: payout.id, ...placeOf(payout), delaySeconds })),
    );
  }

  /** Whether there is a mail, and whether it was written already, the job knows. */
  private tellPayees(payouts: Payout[]): Promise<void> {
    return this.jobs.add(
      payouts.map(({ id, clientId }) => ({ name: 'mail.about_payout', entityId: id, lane: clientId })),
    );
  }

  /** Many may fail in one bad minute: they keep nobody's news waiting. */
  private lookOnceMore(payouts: Payout[]): Promise<void> {
    const delaySeconds = SECOND_LOOK_SECONDS[0];
    return this.jobs.add(
      payouts.map((payout) => ({ name: 'payout.second_look', entityId: payout.id, ...placeOf(payout), delaySeconds })),
    );
  }

  /** Somebody wants to know, and the last news are old: the rail is asked soon, and later readers know. */
  async lookIfStale(payout: Payout): Promise<void> {
    const age = this.clock.now().getTime() - payout.updatedAt.getTime();
    if (payout.status !== 'submitted' || age <= STALE_SECONDS * 1000) return;
    const delaySeconds = waitsForPayee(payout) ? WAITING_QUESTION_SECONDS : SHARED_QUESTION_SECONDS;
    await this.jobs.add([{ name: 'payout.look_for_reader', entityId: payout.id, ...placeOf(payout), delaySeconds }]);
  }

  /** Payouts that were sent before are asked about first, without holding others up if a rail is silent. */
  goOn(payouts: Payout[]): Promise<void> {
    return this.jobs.add(payouts.map((payout) => ({ name: 'payout.retry', entityId: payout.id, ...placeOf(payout) })));
  }

  /** A payout that a custody-free rail had no funds for is tried again in a while. */
  async retryLater(payouts: Payout[]): Promise<void> {
    await this.jobs.add(
      payouts.map((payout) => ({
        name: 'payout.retry',
        entityId: payout.id,
        ...placeOf(payout),
        delaySeconds: secondsToRetry(payout, this.clock.now()),
      })),
    );
  }
}

/** What can be done about a payout that is held or failed: release it, or try it again under the same rail code. */
import { Injectable } from '@nestjs/common';
import { type ErrorCode, reasonCodeOf, Refusal } from '#libs/domain';
import { Turns } from '#libs/batcher';
import { type Client, ClientRegistry } from '#libs/clients';
import { DatabaseTrouble, goneMeanwhile } from '#libs/db';
import type { LockedPayees, Payee } from '#libs/payees';
import {
  type Actor,
  changeOf,
  goesOnByItself,
  hasSentLegs,
  isPastFloor,
  type Payout,
  type PayoutChange,
  withFacts,
} from '#libs/payout-rules';
import { ChangePayout } from './change-payout';
import { AskBeforeSending, type Asked } from './ask-before-sending';
import { clientNow, type GateView, PayoutGates } from './payout-gates';
import { SendToRail } from './send-to-rail';

/** As long as PostgreSQL would let it wait for the wallet. */
const PATIENCE = {
  withinMs: 10_000,
  late: () => new DatabaseTrouble('timeout', new Error('somebody holds the wallet of this client for long')),
};

type UnderLocks = (payees: LockedPayees, locked: () => Promise<void>) => Promise<Payout>;

@Injectable()
export class RemedyPayout {
  /** One of each prepaid client at a time: whoever waits for its wallet waits here, and keeps no connection. */
  private readonly walletTurns = new Turns();

  constructor(
    private readonly change: ChangePayout,
    private readonly clients: ClientRegistry,
    private readonly gates: PayoutGates,
    private readonly sender: SendToRail,
    private readonly asking: AskBeforeSending,
  ) {}

  /** Puts a held payout to its gates again; the floor does not count. `system`: one that was sent before, and goes on by itself (ADR 58). */
  release(payout: Payout, actor: Actor): Promise<Payout> {
    return this.throughGates(payout, actor, 'payout_not_releasable', ({ status, supersededBy }) => {
      if (supersededBy) throw new Refusal('payout_not_releasable', SUPERSEDED);
      if (status !== 'held') throw new Refusal('payout_not_releasable', `The payout is ${status}, not held.`);
    });
  }

  /** Puts a failed payout to its gates too: a payee may have been blocked since, and a cap used up. */
  retry(payout: Payout, actor: Actor): Promise<Payout> {
    return this.throughGates(payout, actor, 'payout_not_retryable', ({ status, failureKind, supersededBy }) => {
      if (supersededBy) throw notRetryable(SUPERSEDED);
      if (status !== 'failed') throw notRetryable(`The payout is ${status}, not failed.`);
      if (failureKind !== 'transient') throw notRetryable('The failure is permanent.');
    });
  }

  private async throughGates(
    known: Payout,
    actor: Actor,
    refusal: ErrorCode,
    check: (payout: Payout) => void,
  ): Promise<Payout> {
    await this.refuseWhileSuspended(known, refusal);
    // A superseded payout may share its code with the one that took its rows: the rail would speak of that one.
    if (known.supersededBy) check(known);
    if (actor !== 'system') this.asking.refuseHaste(known, refusal);
    const asked = await this.asking.about(known, refusal, actor === 'client');
    check(asked.payout);
    const after = await this.underLocks(known, (payees, locked) =>
      this.change.one(known.id, async (payout) => {
        check(payout);
        // Calls that were made since are none that its rail was asked about.
        if (hasSentLegs(payout) && payout.attempt !== asked.payout.attempt) throw new Refusal(refusal, TRIED_MEANWHILE);
        const isRefused = asked.isRefused && payout.attempt === asked.payout.attempt;
        const change = isRefused ? withFacts(changeOf(payout), { codeSince: asked.askedAt }) : changeOf(payout);
        const judged = await this.judged(change, payees.get(payout.payeeId), { known, actor, refusal, asked });
        await locked();
        return judged;
      }),
    );
    return this.sender.sendOwn(after);
  }

  /** A prepaid client's wallet may be held for long: its turn is given back meanwhile, and comes again. */
  private async underLocks({ clientId, payeeId }: Payout, work: UnderLocks): Promise<Payout> {
    const known = await this.clients.byId(clientId);
    if (!known?.client.prepaid)
      return this.change.withPayees([payeeId], (payees) => work(payees, () => Promise.resolve()));
    return this.change.withPayeeInRoom(payeeId, (enter) => this.walletTurns.run(clientId, enter, PATIENCE), work);
  }

  private async refuseWhileSuspended({ clientId }: Payout, refusal: ErrorCode): Promise<void> {
    const known = await this.clients.byId(clientId);
    if (known?.client.status === 'suspended') throw new Refusal(refusal, SUSPENDED);
  }

  private async judged(
    change: PayoutChange,
    payee: Payee | undefined,
    { known, actor, refusal, asked }: { known: Payout; actor: Actor; refusal: ErrorCode; asked: Asked },
  ): Promise<PayoutChange> {
    const payout = change.after;
    const client = (await this.clients.byId(payout.clientId))?.client;
    if (!client || !payee) throw goneMeanwhile(`The payee of payout ${payout.id}`);
    const view = await this.gates.view([payee.id], [{ client, currency: payout.currency }], [payout]);
    refuseByClient(payout, clientNow(client, view), { known, actor, refusal });
    // A held payout says itself what it waits for; a failed one stays where its rows are owed.
    if (view.disputed.has(payout.id) && (payout.status === 'failed' || actor === 'system'))
      throw new Refusal(refusal, DISPUTED);
    if (!asked.isClear && !view.disputed.has(payout.id)) throw new Refusal(refusal, EARLIER_UNKNOWN);
    if (payout.status === 'failed') this.refuseWhileRailWaits(payout, view, refusal);
    const waitsForJob = this.asking.isOld(asked);
    const bypassFloor = actor !== 'system' || payout.status === 'failed' || isPastFloor(payout);
    return this.gates.judge(change, view, { client, payee, actor, bypassFloor, waitsForJob });
  }

  /** A released payout may wait for its rail as it is; a failed one would be sent, so it stays failed. */
  private refuseWhileRailWaits(payout: Payout, view: GateView, refusal: ErrorCode): void {
    if (this.gates.waitsForLists(payout, view)) throw new Refusal(refusal, NOT_COMPARED);
    if (view.closedLanes.includes(payout.provider ?? '')) throw new Refusal(refusal, LANE_CLOSED);
  }
}

/** The client may have been changed while the rail was asked, and at another process. */
function refuseByClient(
  payout: Payout,
  client: Client,
  { known, actor, refusal }: { known: Payout; actor: Actor; refusal: ErrorCode },
): void {
  if (client.status === 'suspended') throw new Refusal(refusal, SUSPENDED);
  const isByItself = actor === 'system' && payout.status === 'held';
  // If it is held for something else by now, that was not asked about.
  const isKept =
    reasonCodeOf(payout.statusReason) !== reasonCodeOf(known.statusReason) ||
    !goesOnByItself(payout, client.autoRelease);
  if (isByItself && isKept) throw new Refusal(refusal, KEPT);
}

const DISPUTED =
  'A rail says that it moved money for this payout, or for an earlier one of its rows. The operator has to resolve that ' +
  'difference first.';
const TRIED_MEANWHILE =
  'The payout was tried again meanwhile. Look at it as it is now, and try again if that is of use.';
const EARLIER_UNKNOWN =
  'The rail cannot tell now what became of an earlier payout of these rows, and to send them could pay twice. Try again later.';
const NOT_COMPARED =
  'What the rails moved was not compared with since the database was restored, or for longer than a rail remembers what it paid. That is ' +
  'done each minute, by the operator for some rails; try again then.';
const LANE_CLOSED = 'Nothing is sent to its rail for now. Try again in a while; operators see why among the rails.';
const KEPT = 'It no longer goes on by itself.';
const SUSPENDED = 'The client is suspended: its payouts wait as they are until it is active again.';
const SUPERSEDED = 'payout_superseded_by_disbursement_retry';
const notRetryable = (message: string): Refusal => new Refusal('payout_not_retryable', message);

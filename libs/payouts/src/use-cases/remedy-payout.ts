/** What can be done about a payout that is held or failed: release it, try it again under the same rail code, or give it up. */
import { Injectable } from '@nestjs/common';
import { type ErrorCode, type PayoutStatus, Refusal } from '#libs/domain';
import { ClientRegistry } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import { Turns } from '#libs/gatherer';
import type { LockedPayees, Payee } from '#libs/payees';
import type { LookupFact } from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { givenUp } from '../given-up';
import { goesOnByItself } from '../goes-on';
import { type Actor, changeOf, type Payout, type PayoutChange, withFacts } from '../payout';
import { ChangePayout } from './change-payout';
import { PayoutGates } from './payout-gates';
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
  ) {}

  /** Puts a held payout to its gates again; the floor does not count. */
  release(payout: Payout, actor: Actor): Promise<Payout> {
    return this.toItsGates(payout, actor, 'payout_not_releasable', ({ status, supersededBy }) => {
      if (supersededBy) throw new Refusal('payout_not_releasable', SUPERSEDED);
      if (status !== 'held') throw new Refusal('payout_not_releasable', `The payout is ${status}, not held.`);
    });
  }

  /** Puts a failed payout to its gates too: a payee may have been blocked since, and a cap used up. */
  retry(payout: Payout, actor: Actor): Promise<Payout> {
    return this.toItsGates(payout, actor, 'payout_not_retryable', ({ status, failureKind, supersededBy }) => {
      if (supersededBy) throw notRetryable(SUPERSEDED);
      if (status !== 'failed') throw notRetryable(`The payout is ${status}, not failed.`);
      if (failureKind !== 'transient') throw notRetryable('The failure is permanent.');
    });
  }

  /** What is held for a cause that passed, and was sent before. Whatever it waits for besides, it keeps its reason. */
  goOn(payout: Payout): Promise<Payout> {
    return this.toItsGates(payout, 'system', 'payout_not_releasable', (now) => {
      if (!goesOnByItself(now)) throw new Refusal('payout_not_releasable', `The payout is ${now.status} by now.`);
    });
  }

  /** For good. */
  giveUp(payout: Payout, why: string | null): Promise<Payout> {
    return this.change.one(payout.id, (locked) => givenUp(changeOf(locked), why));
  }

  private async toItsGates(
    known: Payout,
    actor: Actor,
    refusal: ErrorCode,
    check: (payout: Payout) => void,
  ): Promise<Payout> {
    await this.refuseWhileSuspended(known, refusal);
    // A superseded payout may share its code with the one that took its rows: the rail would speak of that one.
    if (known.supersededBy) check(known);
    const asked = await this.reconciled(known, refusal);
    check(asked.payout);
    const after = await this.underLocks(known, (payees, locked) =>
      this.change.one(known.id, async (payout) => {
        check(payout);
        const isRefused = asked.isRefused && payout.attempt === asked.payout.attempt;
        const change = isRefused ? withFacts(changeOf(payout), { codeSince: null }) : changeOf(payout);
        const judged = await this.judged(change, payees.get(payout.payeeId), actor, refusal);
        await locked();
        return judged;
      }),
    );
    return this.sender.finish(after);
  }

  /** A prepaid client's wallet may be held for long: its turn is given back meanwhile, and comes again. */
  private async underLocks({ clientId, payeeId }: Payout, work: UnderLocks): Promise<Payout> {
    const known = await this.clients.byId(clientId);
    if (!known?.client.prepaid)
      return this.change.withPayees([payeeId], (payees) => work(payees, () => Promise.resolve()));
    return this.change.withPayeeInRoom(payeeId, (enter) => this.walletTurns.run(clientId, enter, PATIENCE), work);
  }

  /** Nothing is sent again before the rail was asked what became of what it may have got already. */
  private async reconciled(payout: Payout, refusal: ErrorCode): Promise<{ payout: Payout; isRefused: boolean }> {
    if (payout.status === 'submitted') return { payout: await this.sender.lookUp(payout), isRefused: false };
    if (payout.submittedAt === null || !MAY_GO_ON.includes(payout.status)) return { payout, isRefused: false };
    const fact = await this.sender.ask(payout);
    if (!this.sender.mayBeSentAgain(payout, fact)) throw new Refusal(refusal, CODE_IS_OLD);
    if (!MONEY_UNDER_WAY.includes(fact.kind)) return { payout, isRefused: this.sender.isRefused(payout, fact) };
    log.warn({ event: 'payout.contradiction', payoutId: payout.id, fact: fact.kind }, 'the rail has what ended here');
    const after = await this.sender.learn(payout, fact);
    if (after.status !== payout.status) return { payout: after, isRefused: false };
    throw new Refusal(refusal, 'The rail says that it has this payout after all. The operator is told.');
  }

  private async refuseWhileSuspended({ clientId }: Payout, refusal: ErrorCode): Promise<void> {
    const known = await this.clients.byId(clientId);
    if (known?.client.status === 'suspended') throw new Refusal(refusal, SUSPENDED);
  }

  private async judged(
    change: PayoutChange,
    payee: Payee | undefined,
    actor: Actor,
    refusal: ErrorCode,
  ): Promise<PayoutChange> {
    const payout = change.after;
    const known = await this.clients.byId(payout.clientId);
    if (!known || !payee) throw new Error(`The client or the payee of payout ${payout.id} is gone.`);
    const { client } = known;
    const view = await this.gates.view([payee.id], [{ client, currency: payout.currency }], [payout]);
    // The client may have been suspended while the rail was asked.
    if (view.clients[client.id]?.status === 'suspended') throw new Refusal(refusal, SUSPENDED);
    // What is held says for itself what it waits for; what failed stays where its rows are owed.
    if (view.disputed.has(payout.id) && (payout.status === 'failed' || actor === 'system'))
      throw new Refusal(refusal, DISPUTED);
    return this.gates.judge(change, view, { client, payee, actor, bypassFloor: true });
  }
}

const MAY_GO_ON: PayoutStatus[] = ['held', 'failed'];
const MONEY_UNDER_WAY: LookupFact['kind'][] = ['settled', 'bounced', 'accepted', 'awaiting_payee', 'claimed'];

const CODE_IS_OLD =
  'The rail no longer honours the code of this payout, and does not say that it refused it: to send it again could pay ' +
  'twice. Try again later, or have the operator find out at the rail and fail it.';
const DISPUTED =
  'A rail says that it moved money for this payout, or for an earlier one of its rows. The operator has to resolve that ' +
  'difference first.';
const SUSPENDED = 'The client is suspended: its payouts wait as they are until it is active again.';
const SUPERSEDED = 'payout_superseded_by_disbursement_retry';
const notRetryable = (message: string): Refusal => new Refusal('payout_not_retryable', message);

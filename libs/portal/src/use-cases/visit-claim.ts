/** The page of one payment: how it stands, and what its payee can do about it. */
import { Injectable } from '@nestjs/common';
import type { Custody, PayeeNotice } from '#libs/domain';
import { ClaimLinks } from '#libs/claim-links';
import { ClientRegistry } from '#libs/clients';
import { PayeeReads } from '#libs/payees';
import {
  goesOnByItself,
  isPaidAfterAll,
  lacksRailFunds,
  legForPayee,
  type Payout,
  waitsForPayee,
} from '#libs/payout-rules';
import { PayoutReads } from '#libs/payouts';
import { Rails } from '#libs/rail-registry';
import { isKept, noticeTo } from '../notice-about';
import { checksPayees } from './checks-payees';
import { isServed, setUpStep } from './set-up-step';
import type { Owner } from './visit-portal';

/** `wallet`: its payee goes on with it from their wallet. `provider`: they claim it where its rail told them. */
export type ClaimStage = 'soon' | 'provider' | 'wallet' | 'claimed' | 'paid' | 'held' | 'over';

export interface ClaimVisit extends Owner {
  payout: Payout;
  stage: ClaimStage;
  /** Of its rail, or of the one that its payee is paid over now; null: there is none. */
  custody: Custody | null;
  /** They take it on a page of the provider's, to which their wallet leads: once it is paid as well. */
  isLed: boolean;
  /** They may have to be checked before it goes on. */
  checksFirst: boolean;
  /** The provider who writes to its payee about it, by the name they know; null: they know none. */
  partner: string | null;
  /** Of what is held, or over: why, in the payee's terms. */
  notice: PayeeNotice | null;
  /** While they cannot be paid: there is something that they can do about it now. */
  isTheirTurn: boolean;
  /** Nothing stands against every payment to them, as far as is known without their rail. */
  isServed: boolean;
  /** Held as it is, nobody has to send it: once its cause is gone it goes on by itself. */
  goesOn: boolean;
  /** It came to nothing, and what it paid is owed again, or on another payment by now. */
  hasComeBack: boolean;
  /** The time at which it goes back unless they claim it; null: it waits for nobody, or without end. */
  until: Date | null;
}

const DAY_MS = 86_400_000;
const AT_REST: ReadonlySet<ClaimStage> = new Set(['held', 'over']);

@Injectable()
export class VisitClaim {
  constructor(
    private readonly links: ClaimLinks,
    private readonly payouts: PayoutReads,
    private readonly clients: ClientRegistry,
    private readonly payees: PayeeReads,
    private readonly rails: Rails,
  ) {}

  /** null for what opens nothing: a token that nobody made here is not even looked up. */
  async payoutOf(token: string): Promise<Payout | null> {
    const payoutId = this.links.payoutOf(token);
    return payoutId === null ? null : this.payouts.find(payoutId);
  }

  /** Of a payment that is this payee's own; null if there is none. */
  async own(owner: Owner, payoutId: string): Promise<ClaimVisit | null> {
    const payout = await this.payouts.findOf(owner.client.id, payoutId);
    return payout?.payeeId === owner.payee.id ? { ...owner, payout, ...(await this.standingOf(payout, owner)) } : null;
  }

  async run(payout: Payout): Promise<ClaimVisit | null> {
    // Read as stored: a mail that is not written now is never written.
    const client = await this.clients.stored(payout.clientId);
    const payee = await this.payees.find(payout.clientId, payout.payeeId);
    if (!client || client.status === 'closed' || !payee) return null;
    const owner = { client, payee };
    return { ...owner, payout, ...(await this.standingOf(payout, owner)) };
  }

  private async standingOf(
    payout: Payout,
    { client, payee }: Owner,
  ): Promise<Omit<ClaimVisit, keyof Owner | 'payout'>> {
    const isLed = await this.isLedTo(payout);
    const stage = isKept(payout, { client, payee }) ? 'held' : stageOf(payout, isLed);
    const checksFirst = checksPayees(client, this.rails.traits(payout.provider));
    const partner = this.rails.traits(payout.provider)?.knownAs ?? null;
    const custody = this.custodyOf(payout, payee);
    const notice = AT_REST.has(stage) ? noticeTo(payee.payable, payout, custody) : null;
    return {
      stage,
      custody,
      isLed,
      checksFirst,
      partner,
      notice,
      ...turnOf(payout, { client, payee }),
      hasComeBack: stage === 'over' && payout.consolidates,
      until: stage === 'provider' ? this.endOf(payout) : null,
    };
  }

  /** A payee who was led there may not have finished. To what an operator called paid nobody was led: other money paid it. */
  private async isLedTo(payout: Payout): Promise<boolean> {
    if (!this.rails.leadsPayees(payout.provider)) return false;
    if (payout.status !== 'paid') return waitsForPayee(payout);
    return (await this.payouts.calledPaid([payout.id])).size === 0;
  }

  private custodyOf({ custody }: Payout, { provider }: Owner['payee']): Custody | null {
    return custody ?? this.rails.traits(provider)?.custody ?? null;
  }

  /** The last whole day: its rail counts from its send, to the hour. */
  private endOf({ provider, custody, codeSince, submittedAt }: Payout): Date | null {
    const { claimedWithinDays } = this.rails.traits(provider) ?? {};
    const sentAt = codeSince ?? submittedAt;
    if (custody !== 'claim' || claimedWithinDays === undefined || sentAt === null) return null;
    return new Date(sentAt.getTime() + (claimedWithinDays - 1) * DAY_MS);
  }
}

function turnOf(payout: Payout, { client, payee }: Owner): Pick<ClaimVisit, 'isServed' | 'isTheirTurn' | 'goesOn'> {
  if (!isServed(client, payee)) return { isServed: false, isTheirTurn: false, goesOn: false };
  const isTheirTurn = setUpStep(payee, client) !== 'checking';
  return { isServed: true, isTheirTurn, goesOn: goesOnByItself(payout, client.autoRelease) };
}

function stageOf(payout: Payout, isLed: boolean): ClaimStage {
  switch (payout.status) {
    case 'requested':
    case 'authorized':
      return 'soon';
    case 'submitted':
      if (legForPayee(payout) || isLed) return 'wallet';
      if (waitsForPayee(payout)) return 'provider';
      return payout.claimedAt === null ? 'soon' : 'claimed';
    case 'paid':
    case 'held':
      return payout.status;
    case 'failed':
      // It is tried again.
      if (lacksRailFunds(payout)) return 'held';
      return isPaidAfterAll(payout) ? 'paid' : 'over';
    case 'returned':
      return 'over';
  }
}

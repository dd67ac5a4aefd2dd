/** What the page of one payment shows: how it stands, and what its payee can do about it. */
import { Injectable } from '@nestjs/common';
import { noticeOf, type PayeeNotice } from '#libs/domain';
import { ClaimLinks } from '#libs/claim-links';
import { type Client, ClientRegistry } from '#libs/clients';
import { isWithdrawal } from '#libs/disbursements';
import { PayeeReads } from '#libs/payees';
import { isPaidAfterAll, legForPayee, type Payout, waitsForPayee } from '#libs/payout-rules';
import { PayoutReads } from '#libs/payouts';
import { Rails } from '#libs/rail-registry';
import { checksPayees } from './checks-payees';
import type { Owner } from './visit-portal';

/** `wallet`: its payee goes on with it from their wallet. `provider`: they claim it where its rail told them. */
export type ClaimStage = 'soon' | 'provider' | 'wallet' | 'claimed' | 'paid' | 'held' | 'over';

export interface ClaimVisit extends Owner {
  payout: Payout;
  stage: ClaimStage;
  /** They take it on a page of the provider's, to which their wallet leads: once it is paid as well. */
  isLed: boolean;
  /** They may have to be checked before it goes on. */
  checksFirst: boolean;
  /** Who writes to its payee about it, as they know it; null: nobody knows them by a name. */
  partner: string | null;
  /** Of what is held, or over: why, in the payee's terms. */
  notice: PayeeNotice | null;
  /** It was a withdrawal of theirs, and came to nothing. */
  hasComeBack: boolean;
  /** What they do not claim by then goes back; null: it waits for nobody, or without end. */
  until: Date | null;
}

const DAY_MS = 86_400_000;

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
    return payout?.payeeId === owner.payee.id ? { ...owner, payout, ...this.standingOf(payout, owner.client) } : null;
  }

  async run(payout: Payout): Promise<ClaimVisit | null> {
    const known = await this.clients.byId(payout.clientId);
    const payee = await this.payees.find(payout.clientId, payout.payeeId);
    if (!known || known.client.status === 'closed' || !payee) return null;
    return { client: known.client, payee, payout, ...this.standingOf(payout, known.client) };
  }

  private standingOf(payout: Payout, client: Client): Omit<ClaimVisit, keyof Owner | 'payout'> {
    // Who was led there may not have come to the end.
    const isLed = this.rails.leadsPayees(payout.provider) && (waitsForPayee(payout) || payout.status === 'paid');
    const stage = stageOf(payout, isLed);
    const checksFirst = checksPayees(client, this.rails.traits(payout.provider));
    const notice = stage === 'held' || stage === 'over' ? noticeOf(payout.statusReason) : null;
    const partner = this.rails.traits(payout.provider)?.knownAs ?? null;
    return {
      stage,
      isLed,
      checksFirst,
      partner,
      notice,
      hasComeBack: stage === 'over' && isWithdrawal(payout),
      until: stage === 'provider' ? this.endOf(payout) : null,
    };
  }

  /** The last whole day: its rail counts from its send, to the hour. */
  private endOf({ provider, custody, codeSince, submittedAt }: Payout): Date | null {
    const { claimedWithinDays } = this.rails.traits(provider) ?? {};
    const sentAt = codeSince ?? submittedAt;
    if (custody !== 'claim' || claimedWithinDays === undefined || sentAt === null) return null;
    return new Date(sentAt.getTime() + (claimedWithinDays - 1) * DAY_MS);
  }
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
      return isPaidAfterAll(payout) ? 'paid' : 'over';
    case 'returned':
      return 'over';
  }
}

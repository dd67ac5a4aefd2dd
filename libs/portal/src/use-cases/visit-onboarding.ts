/** The onboarding page: how its payee stands, read live from the rail while they cannot be paid. */
import { Injectable } from '@nestjs/common';
import { type Client, ClientRegistry } from '#libs/clients';
import type { Payee, Readiness } from '#libs/payees';
import { PayoutReads } from '#libs/payouts';
import type { AccountDetails } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { noticeAbout } from '../notice-about';
import { cameBy, isOfWallet, type PageLink } from '../page-link';
import { hasAccountPages } from './account-pages';
import { PageReadiness } from './page-readiness';
import { type Hindrance, hindranceOf, lacksDetails, setUpStep, type SetUpStep } from './set-up-step';
import { isSamePerson, isSomebodyElse } from './visit-portal';

/** Where a payee stands. From some of them they can go on to the pages of the rail. */
export type Stage = SetUpStep | Hindrance | 'ready' | 'nothing' | 'details';

const LEADS_ON: readonly Stage[] = ['start', 'checking', 'rejected', 'restricted'];

/** A ready account is changed only by somebody who proved to be its payee, and by nobody who was merely handed a link. */
export const leadsOn = (visit: Pick<Visit, 'stage' | 'link' | 'account' | 'hasPages'>): boolean =>
  (LEADS_ON.includes(visit.stage) && !isRejectedForGood(visit)) ||
  (isChangeable(visit) && visit.link.kind === 'account');

/** There is an account, with pages on which it is changed: also where whoever pays them has something to do first. */
export const isChangeable = ({ stage, hasPages }: Pick<Visit, 'stage' | 'hasPages'>): boolean =>
  hasPages && (stage === 'ready' || stage === 'details');

/** Whatever else is known of them: who was verified once is not called rejected, and cannot be paid all the same. */
export const isRejectedForGood = ({ stage, account }: Pick<Visit, 'stage' | 'account'>): boolean =>
  LEADS_ON.includes(stage) && account?.isRejectedForGood === true;

export const goesOn = (visit: Pick<Visit, 'stage' | 'link' | 'account' | 'hasPages' | 'isOutlived'>): boolean =>
  leadsOn(visit) && !visit.isOutlived;

/**
 * What is to be done about a payment that an account did not take, and is ready all the same. change: here. wallet: they change it from
 * there. as_it_is: nobody can change it on any page. come_back: they are back from where it is changed. tried_again: nothing, it goes on
 * by itself.
 */
export type RefusedStep = 'change' | 'as_it_is' | 'come_back' | 'tried_again';

export function refusedStep(visit: Visit): RefusedStep | null {
  const { hasRefused, hasPages, link, client } = visit;
  const isBack = link.kind === 'return';
  if (!hasRefused) return null;
  if (client.autoRelease.includes('not_payable')) return isBack ? null : 'tried_again';
  if (isBack) return 'come_back';
  return hasPages && goesOn(visit) ? 'change' : 'as_it_is';
}

export interface Visit {
  link: PageLink;
  client: Client;
  payee: Payee;
  stage: Stage;
  /** Details by which they recognise the account they are paid to. */
  account: AccountDetails | null;
  /** Its rail has pages on which they change it. */
  hasPages: boolean;
  /** It did not take a payment, and is ready all the same: they should look at it. */
  hasRefused: boolean;
  /** It was made in the wallet of who the payee was before: it shows how they stand, and changes nothing. */
  isOutlived: boolean;
}

/** Of those that are held: the newest tell. */
const LOOKED_AT = 10;

@Injectable()
export class VisitOnboarding {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly readiness: PageReadiness,
    private readonly rails: Rails,
    private readonly payouts: PayoutReads,
  ) {}

  /** null if it opens nothing any more. */
  async run(link: PageLink): Promise<Visit | null> {
    const known = await this.clients.byId(link.clientId);
    if (!known || known.client.status === 'closed') return null;
    const { client } = known;
    const look = this.lookAt(link, client, await this.readiness.of(client, link.payeeId, cameBy(link)));
    if (look.isOutlived && !reachesThem(link, look.payee)) return null;
    return { ...look, hasRefused: look.stage === 'ready' && (await this.hasRefused(look.payee)) };
  }

  /**
   * Whether a click by this look may still go on: it waits for whoever holds the payee, and for rails, and meanwhile they are blocked or
   * somebody else, their client is suspended, or an account of theirs is ready. By what is known: no rail is asked for it.
   */
  async stillGoesOn({ link, payee }: Pick<Visit, 'link' | 'payee'>): Promise<boolean> {
    const client = await this.clients.stored(link.clientId);
    if (!client) return false;
    const now = this.lookAt(link, client, await this.readiness.known(client, payee.id));
    return goesOn(now) && isSamePerson(payee, now.payee);
  }

  private lookAt(link: PageLink, client: Client, readiness: Readiness): Omit<Visit, 'hasRefused'> {
    const { payee, method } = readiness;
    const stage = this.stageOf(client, readiness);
    const hasPages = hasAccountPages(client, this.rails.find(payee.provider ?? ''));
    const account = method?.details ?? null;
    return { link, client, payee, stage, account, hasPages, isOutlived: isOfBefore(link, payee) };
  }

  private async hasRefused({ id: payeeId, clientId }: Payee): Promise<boolean> {
    const held = await this.payouts.list({ clientId, payeeId, status: 'held', reasonCode: 'not_payable' }, LOOKED_AT);
    return held.some((payout) => noticeAbout(payout) === 'not_accepted');
  }

  private stageOf(client: Client, { payee, blockers }: Readiness): Stage {
    const rail = this.rails.find(payee.provider ?? '');
    const hindrance = hindranceOf(client, { blockers }, rail?.rail != null);
    if (hindrance) return hindrance;
    if (!payee.payable) return setUpStep(payee, client);
    if (lacksDetails({ blockers })) return 'details';
    return rail?.traits.custody === 'custodial' ? 'ready' : 'nothing';
  }
}

/** Made in a wallet, or by a click that began there, it is over with who the payee was, as that is: also where nobody has to cool down. */
const isOfBefore = (link: PageLink, payee: Payee): boolean =>
  isOfWallet(link) && (payee.email === null || isSomebodyElse(payee, link.createdAt));

/** With another address it was the old mailbox that opened the wallet: nothing is shown to it. */
const reachesThem = ({ createdAt }: PageLink, { email, emailChangedAt }: Payee): boolean =>
  email !== null && (emailChangedAt === null || emailChangedAt < createdAt);

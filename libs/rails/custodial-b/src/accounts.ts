/** Accounts of payees as Adyen has them, and links to the pages on which they are filled in. */
import type { AccountAnswer, OnboardingLinkAnswer, OnboardingVisit, RailCall, RailClock } from '#libs/rail-kit';
import type { AdyenAnswer, AdyenClient } from './adyen.client';
import type { AccountHolder } from './adyen.shapes';
import { codeOf, isAboutUs, isUnknownAccount, unanswered } from './custodial-b.mapping';
import { instrumentOf, standingOf } from './standing';

/** By Adyen's documentation; the answer itself says nothing. */
const LINK_LIVES_MS = 240_000;
const UNCONFIRMED = { kind: 'unconfirmed', detail: 'Adyen shows no such account to this platform' } as const;

interface AccountParts {
  client: AdyenClient;
  clock: RailClock;
  balancePlatform: string;
  timeoutMs: number;
}

export class Accounts {
  constructor(private readonly parts: AccountParts) {}

  /** Up to three questions, and one deadline for all of them. */
  async read(accountId: string, call?: RailCall): Promise<AccountAnswer> {
    const signal = this.deadline(call);
    const holder = await this.parts.client.accountHolder(accountId, signal);
    if (holder.kind !== 'done') return isOfUnknown(holder) ? UNCONFIRMED : unanswered(holder);
    return this.isOurs(holder.found) ? this.standing(holder.found, signal) : UNCONFIRMED;
  }

  private async standing(holder: AccountHolder, signal: AbortSignal): Promise<AccountAnswer> {
    const { client } = this.parts;
    const entity = await client.legalEntity(holder.legalEntityId, signal);
    if (entity.kind !== 'done') return unanswered(entity);
    const id = instrumentOf(holder) ?? entity.found.transferInstruments?.[0]?.id ?? null;
    if (id === null) return standingOf(holder, entity.found, null);
    const bank = await client.transferInstrument(id, signal);
    return bank.kind === 'done' ? standingOf(holder, entity.found, bank.found) : unanswered(bank);
  }

  private isOurs({ balancePlatform }: AccountHolder): boolean {
    return balancePlatform === undefined || balancePlatform === this.parts.balancePlatform;
  }

  /** Adyen's page leads back when its owner is through. A link that is too old leads nowhere: it is made when somebody clicks. */
  async link(
    accountId: string,
    { returnUrl, locale }: OnboardingVisit,
    call?: RailCall,
  ): Promise<OnboardingLinkAnswer> {
    const { client, clock } = this.parts;
    const signal = this.deadline(call);
    const holder = await client.accountHolder(accountId, signal);
    if (holder.kind !== 'done') return refusedOr(holder);
    if (!this.isOurs(holder.found)) return UNCONFIRMED;
    const asked = { redirectUrl: returnUrl, ...languageOf(locale) };
    const answer = await client.onboardingLink(holder.found.legalEntityId, asked, signal);
    if (answer.kind !== 'done') return refusedOr(answer);
    return { kind: 'link', url: answer.found.url, expiresAt: new Date(clock.latest().getTime() + LINK_LIVES_MS) };
  }

  private deadline(call?: RailCall): AbortSignal {
    const inTime = AbortSignal.timeout(this.parts.timeoutMs);
    return call ? AbortSignal.any([call.signal, inTime]) : inTime;
  }
}

type Failed = Exclude<AdyenAnswer<never>, { kind: 'done' }>;

const isOfUnknown = (answer: Failed): boolean =>
  answer.kind === 'rejected' && isUnknownAccount(answer.status, answer.problem);

function refusedOr(answer: Failed): OnboardingLinkAnswer {
  if (isOfUnknown(answer)) return UNCONFIRMED;
  if (answer.kind !== 'rejected' || !isAboutUs(answer.status)) return unanswered(answer);
  return { kind: 'refused', failure: 'credentials', reason: `Adyen made no link: ${codeOf(answer.problem)}` };
}

/** Adyen wants a country with each language: of one without, that in which most speak it. */
function languageOf(locale: string | null): { locale?: string } {
  if (!/^[A-Za-z]{2}(-[A-Za-z0-9]{2,8}){0,3}$/.test(locale ?? '')) return {};
  const { language, region } = new Intl.Locale(locale ?? '').maximize();
  return /^[a-z]{2}$/.test(language) && region !== undefined ? { locale: `${language}-${region}` } : {};
}

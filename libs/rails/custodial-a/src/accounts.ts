/** Accounts of payees: opened once for each key, read as Stripe has them, and filled in on Stripe's own pages. */
import {
  type AccountAnswer,
  type AccountRequest,
  type Clock,
  keyOfTry,
  type OnboardingLinkAnswer,
  type OnboardingVisit,
  type OpeningAnswer,
  type RailCall,
  type RailStore,
  type Tries,
  type Try,
} from '#libs/rail-kit';
import { codeOf, hasOtherWords, isAboutUs, notNow, unanswered, unmapped } from './custodial-a.mapping';
import { isUnknownAccount, standingOf } from './standing';
import type { StripeAnswer, StripeClient } from './stripe.client';
import type { Account } from './stripe.shapes';

/** Stripe forgets a key after 24 hours; from then on what was opened is looked for. */
const HONOURED_SECONDS = 23 * 3_600;
/** Its clock is not ours. */
const MARGIN_SECONDS = 3_600;
/** Under a key that Stripe still knows, a database from before this one was restored opened it at most so long before. */
const OTHER_WORDS_MARGIN_SECONDS = 7 * 86_400;
const MOST_PAGES = 50;

const OTHER_WORDS: OpeningAnswer = { kind: 'unknown', detail: 'Stripe knows its key with other words under it' };

const REFUSALS = new Map<string, 'permanent' | 'transient'>([
  ['country_unsupported', 'permanent'],
  ['account_country_invalid_address', 'permanent'],
  ['email_invalid', 'permanent'],
  ['parameter_invalid_string_blank', 'permanent'],
]);

// A type and not an interface: only that is a record of the store.
type Opening = { begunAt: string; accountId: string | null };

interface AccountParts {
  client: StripeClient;
  tries: Tries;
  store: RailStore;
  clock: Clock;
  /** Countries that are paid across borders. */
  crossBorder: ReadonlyMap<string, string>;
}

export class Accounts {
  constructor(private readonly parts: AccountParts) {}

  async read(accountId: string, call?: RailCall): Promise<AccountAnswer> {
    const answer = await this.parts.client.account(accountId, call?.signal);
    if (answer.kind === 'done') return standingOf(answer.found);
    if (answer.kind === 'rejected' && isUnknownAccount(answer.status, answer.problem))
      return { kind: 'unconfirmed', detail: 'Stripe shows no such account to this platform' };
    return unanswered(answer);
  }

  async open(request: AccountRequest, call?: RailCall): Promise<OpeningAnswer> {
    const { store, clock } = this.parts;
    const unopened = { begunAt: clock.now().toISOString(), accountId: null };
    const { accountId, begunAt } = await store.claim<Opening>(keyOf(request), unopened);
    if (accountId !== null) return { kind: 'opened', accountId };
    const begun = Math.floor(Date.parse(begunAt) / 1000);
    const found = await this.lookedFor(request, begun, call);
    return this.noted(request, found ?? (await this.ask(request, begun, call)));
  }

  async link(
    accountId: string,
    { returnUrl, refreshUrl }: OnboardingVisit,
    call?: RailCall,
  ): Promise<OnboardingLinkAnswer> {
    const urls = { return_url: returnUrl, refresh_url: refreshUrl };
    const form = { account: accountId, type: 'account_onboarding', collect: 'eventually_due', ...urls };
    const answer = await this.parts.client.accountLink(form, call?.signal);
    if (answer.kind === 'done') {
      const { url, expires_at } = answer.found;
      return { kind: 'link', url, expiresAt: new Date(expires_at * 1000) };
    }
    if (answer.kind !== 'rejected') return unanswered(answer);
    if (isUnknownAccount(answer.status, answer.problem))
      return { kind: 'unconfirmed', detail: 'Stripe shows no such account to this platform' };
    const reason = `Stripe made no link: ${codeOf(answer.problem.error)}`;
    return isAboutUs(answer.status)
      ? { kind: 'refused', failure: 'credentials', reason }
      : unmapped('error', codeOf(answer.problem.error));
  }

  /** Among those at Stripe, if its key alone does not tell whether it is there. */
  private async lookedFor(request: AccountRequest, begun: number, call?: RailCall): Promise<OpeningAnswer | null> {
    const { tries, clock } = this.parts;
    const attempt = await tries.read(request.key);
    if (attempt?.otherWords) return this.openedBefore(request, begun - OTHER_WORDS_MARGIN_SECONDS, call);
    const isForgotten = clock.now().getTime() / 1000 - begun >= HONOURED_SECONDS;
    return isForgotten ? this.openedBefore(request, begun - MARGIN_SECONDS, call) : null;
  }

  private async ask(request: AccountRequest, begun: number, call?: RailCall): Promise<OpeningAnswer> {
    const { tries, client } = this.parts;
    const attempt = await tries.current(request.key);
    if (tries.waitsForOtherWords(attempt)) return OTHER_WORDS;
    await tries.sending(request.key, attempt);
    const answer = await client.openAccount(this.formOf(request), keyOfTry(request.key, attempt), call?.signal);
    if (answer.kind === 'done') return { kind: 'opened', accountId: answer.found.id };
    if (answer.kind !== 'rejected') return unanswered(answer);
    if (hasOtherWords(answer.status, answer.problem)) {
      await tries.hasOtherWords(request.key, attempt);
      return (await this.openedBefore(request, begun - OTHER_WORDS_MARGIN_SECONDS, call)) ?? OTHER_WORDS;
    }
    return this.turnedAway(request, attempt, answer);
  }

  private async turnedAway(
    request: AccountRequest,
    attempt: Try,
    answer: Extract<StripeAnswer<never>, { kind: 'rejected' }>,
  ): Promise<OpeningAnswer> {
    const { tries } = this.parts;
    const code = codeOf(answer.problem.error);
    const failure = REFUSALS.get(code);
    const reason = `Stripe opened no account: ${code}`;
    if (failure) {
      await tries.isOver(request.key, attempt.number);
      return { kind: 'refused', failure, reason };
    }
    if (!isAboutUs(answer.status)) return unmapped('error', code);
    const isSure = await tries.wasTurnedAway(request.key, attempt);
    return isSure ? { kind: 'refused', failure: 'credentials', reason } : { kind: 'unknown', detail: reason };
  }

  /** Stripe does not know the key any more, or with other words. Among the accounts that were opened since then it may stand. */
  private async openedBefore({ key }: AccountRequest, since: number, call?: RailCall): Promise<OpeningAnswer | null> {
    let after: string | null = null;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer: StripeAnswer<{ data: Account[]; has_more: boolean }> = await this.parts.client.accounts(
        since,
        after,
        call?.signal,
      );
      if (answer.kind === 'later') return notNow(answer.afterSeconds);
      if (answer.kind !== 'done') return unanswered(answer);
      const found = answer.found.data.find(({ metadata }) => metadata?.opening === key);
      if (found) return { kind: 'opened', accountId: found.id };
      if (!answer.found.has_more) return null;
      after = answer.found.data.at(-1)?.id ?? null;
      if (after === null) return { kind: 'unknown', detail: 'Stripe lists nothing on a page that others follow' };
    }
    return { kind: 'unknown', detail: 'Stripe shows too many accounts to look for one of them' };
  }

  private async noted(request: AccountRequest, answer: OpeningAnswer): Promise<OpeningAnswer> {
    if (answer.kind !== 'opened') return answer;
    const { accountId } = answer;
    const kept = await this.parts.store.update<Opening>(keyOf(request), (now) => ({
      ...now,
      accountId: now.accountId ?? accountId,
    }));
    return { kind: 'opened', accountId: kept?.accountId ?? accountId };
  }

  /**
   * Payouts are made by us alone: Stripe would empty the account by itself. It holds no id of ours: the key follows from what the payee's client
   * calls them, and outlives a database that is restored.
   */
  private formOf({ key, payee: { email, country } }: AccountRequest): Record<string, string> {
    const isAbroad = country !== null && this.parts.crossBorder.has(country);
    return {
      ...{ type: 'express', business_type: 'individual', 'capabilities[transfers][requested]': 'true' },
      ...(country === null ? {} : { country }),
      ...(email === null ? {} : { email }),
      ...(isAbroad ? { 'tos_acceptance[service_agreement]': 'recipient' } : {}),
      ...{ 'settings[payouts][schedule][interval]': 'manual', 'metadata[opening]': key },
    };
  }
}

const keyOf = ({ key }: AccountRequest): string => `opening:${key}`;

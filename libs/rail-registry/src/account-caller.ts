/** Asks rails about accounts of payees, and to open one. What a rail cannot do, and what cannot be true, comes back as words. */
import { Injectable } from '@nestjs/common';
import { DatabaseTrouble } from '#libs/db';
import {
  type AccountAnswer,
  type AccountRequest,
  type DirectedStanding,
  directsAccounts,
  hostsOnboarding,
  type OnboardingLinkAnswer,
  type OnboardingVisit,
  type OpeningAnswer,
  opensAccounts,
  readsAccounts,
  type Refused,
} from '#libs/rail-kit';
import { log } from '#libs/telemetry';
import { RailCaller } from './rail-caller';
import { Rails } from './rails';
import { soundAccount, soundLink, soundOpening } from './sound-accounts';

/** Some providers take several calls for either. */
const READ_DEADLINE_MS = 3_000;
const OPEN_DEADLINE_MS = 20_000;
const LINK_DEADLINE_MS = 10_000;

@Injectable()
export class AccountCaller {
  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
  ) {}

  /** The time to date a question with that is put now. */
  askedAt(): Date {
    return this.caller.askedAt();
  }

  opens(railName: string): boolean {
    const rail = this.rails.find(railName)?.rail;
    return rail != null && opensAccounts(rail);
  }

  /**
   * If what failed is our own database, where a rail may keep what it knows, that says nothing of the account. `isPut`: called as the rail is asked.
   */
  async read(railName: string, accountId: string, isPut?: () => void): Promise<AccountAnswer> {
    const troubles: DatabaseTrouble[] = [];
    const failed = (error: Error): never => {
      if (error instanceof DatabaseTrouble) troubles.push(error);
      throw error;
    };
    const answer = await this.caller.call<AccountAnswer>(
      railName,
      'readAccount',
      READ_DEADLINE_MS,
      async (rail, signal) => {
        isPut?.();
        return readsAccounts(rail)
          ? rail.readAccount(accountId, { signal }).catch(failed)
          : { kind: 'unconfirmed', detail: 'the rail keeps no accounts' };
      },
    );
    if (troubles[0]) throw troubles[0];
    return answer.kind === 'not_now' ? answer : soundAccount(answer);
  }

  async open(railName: string, request: AccountRequest): Promise<OpeningAnswer> {
    const answer = await this.caller.call<OpeningAnswer>(
      railName,
      'openAccount',
      OPEN_DEADLINE_MS,
      async (rail, signal) =>
        opensAccounts(rail)
          ? rail.openAccount(request, { signal })
          : { kind: 'refused', failure: 'permanent', reason: 'the rail opens no accounts' },
    );
    return answer.kind === 'not_now' ? answer : this.heard(railName, soundOpening(answer));
  }

  /** The link is in no log: whoever reads it there could finish somebody else's onboarding. */
  async onboardingLink(railName: string, accountId: string, visit: OnboardingVisit): Promise<OnboardingLinkAnswer> {
    const answer = await this.caller.call<OnboardingLinkAnswer>(
      railName,
      'onboardingLink',
      LINK_DEADLINE_MS,
      async (rail, signal) =>
        hostsOnboarding(rail)
          ? rail.onboardingLink(accountId, visit, { signal }).catch(threw)
          : { kind: 'refused', failure: 'permanent', reason: 'the rail hosts no onboarding' },
    );
    return answer.kind === 'not_now' ? answer : this.heard(railName, soundLink(answer));
  }

  /** Of a rail for tests; others are not told what to think of an account. */
  async direct(railName: string, accountId: string, standing: DirectedStanding): Promise<void> {
    const rail = this.rails.find(railName)?.rail;
    if (rail && directsAccounts(rail)) await rail.directAccount(accountId, standing);
  }

  /** The key may be one for accounts alone: payouts go on, and learn by themselves what their own key is worth. */
  private heard<Fact extends { kind: string }>(railName: string, fact: Fact): Fact {
    const { kind, failure } = fact as unknown as Refused;
    if (kind === 'refused' && failure === 'credentials')
      log.warn({ event: 'rail.account_refused', rail: railName }, 'the provider does not know our key for accounts');
    return fact;
  }
}

/** In its own words an error may hold the link. */
const threw = ({ name }: Error): OnboardingLinkAnswer => ({ kind: 'unknown', detail: `the rail threw ${name}` });

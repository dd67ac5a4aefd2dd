/**
 * A link to the pages on which a payee is verified by the provider of their rail. It is made when somebody asks for it, handed on,
 * and kept nowhere: whoever has it can finish the payee's onboarding.
 */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { type OnboardingVisit, TEST_RAIL } from '#libs/rail-kit';
import { AccountCaller } from '#libs/rail-registry';
import type { Method } from '../payee';
import { OpenAccount } from './open-account';

export type MintedLink =
  | { kind: 'link'; url: string; expiresAt: Date | null }
  | { kind: 'refused'; reason: string }
  | { kind: 'later'; detail: string };

@Injectable()
export class MintOnboardingLink {
  constructor(
    private readonly open: OpenAccount,
    private readonly caller: AccountCaller,
  ) {}

  /**
   * Opens an account first, if the payee has none. By `mayLead` whoever asks says whether the link may be for them, as things stand by then:
   * it is asked once there is an account, which may have been adopted meanwhile, and once more when the rail has made the link.
   */
  async run(
    client: Client,
    payeeId: string,
    visit: OnboardingVisit,
    mayLead: () => Promise<boolean>,
  ): Promise<MintedLink> {
    const opened = await this.open.run(client, payeeId);
    if (opened.kind !== 'account') return opened;
    if (!(await mayLead())) return CHANGED;
    const minted = await this.minted(client, opened.method, visit);
    return minted.kind === 'link' && !(await mayLead()) ? CHANGED : minted;
  }

  private async minted(
    client: Client,
    { provider, providerAccountId }: Method,
    visit: OnboardingVisit,
  ): Promise<MintedLink> {
    const fact = await this.caller.onboardingLink(client.testMode ? TEST_RAIL : provider, providerAccountId, visit);
    switch (fact.kind) {
      case 'link':
        return fact;
      case 'refused':
        return fact.failure === 'permanent' ? fact : { kind: 'later', detail: fact.reason };
      case 'unconfirmed':
        return { kind: 'refused', reason: fact.detail };
      case 'unknown':
      case 'not_now':
        return { kind: 'later', detail: fact.detail };
    }
  }
}

const CHANGED: MintedLink = { kind: 'later', detail: 'something about the payee changed meanwhile' };

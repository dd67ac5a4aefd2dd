/**
 * A link to the pages on which a payee is verified by the provider of their rail. It is made when somebody asks for it, handed on,
 * and kept nowhere: whoever has it can finish the payee's onboarding.
 */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { type OnboardingVisit, TEST_RAIL } from '#libs/rail-kit';
import { AccountCaller } from '#libs/rail-registry';
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

  /** Opens an account first, if the payee has none. */
  async run(client: Client, payeeId: string, visit: OnboardingVisit): Promise<MintedLink> {
    const opened = await this.open.run(client, payeeId);
    if (opened.kind !== 'account') return opened;
    const { provider, providerAccountId } = opened.method;
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

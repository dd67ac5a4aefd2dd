/** A withdrawal from a wallet: what rails have to say first of earlier payouts is asked as often as pages may. */
import { Injectable } from '@nestjs/common';
import { ReleaseOwed, type Released } from '#libs/disbursements';
import { PageQuestions } from './page-questions';
import { PageReadiness } from './page-readiness';
import { isSamePerson, type Owner } from './visit-portal';
import { goesTo } from './what-is-confirmed';

@Injectable()
export class PageWithdrawals {
  constructor(
    private readonly owed: ReleaseOwed,
    private readonly questions: PageQuestions,
    private readonly readiness: PageReadiness,
  ) {}

  /** No rail is asked. */
  async goesTo({ client, payee }: Owner): Promise<string> {
    return goesTo(await this.readiness.known(client, payee.id));
  }

  /** `payee`: as read before `goesTo` was. Every change of their account is written to their row as well. */
  of({ client, payee }: Owner): Promise<Released> {
    return this.owed.withdraw(client, payee.id, 'portal', 'payee', {
      mayAsk: () => this.questions.take({ client, payee }, 'moving'),
      isTheirs: (now) => isSamePerson(payee, now) && now.updatedAt.getTime() === payee.updatedAt.getTime(),
    });
  }
}

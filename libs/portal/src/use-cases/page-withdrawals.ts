/** A withdrawal from a wallet: what rails have to say first of earlier payouts is asked as often as pages may. */
import { Injectable } from '@nestjs/common';
import { ReleaseOwed, type Released } from '#libs/disbursements';
import { PageQuestions } from './page-questions';
import { isSamePerson, type Owner } from './visit-portal';

@Injectable()
export class PageWithdrawals {
  constructor(
    private readonly owed: ReleaseOwed,
    private readonly questions: PageQuestions,
  ) {}

  of({ client, payee }: Owner): Promise<Released> {
    return this.owed.withdraw(client, payee.id, 'portal', 'payee', {
      mayAsk: () => this.questions.take(client, 'moving'),
      isTheirs: (now) => isSamePerson(payee, now),
    });
  }
}

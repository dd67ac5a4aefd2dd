/** Whether a payee can be paid, for a page: their rail is asked as often as pages may, and while payments to them go on. */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { type Readiness, ReadReadiness } from '#libs/payees';
import type { CameBy } from '../page-link';
import { PageQuestions } from './page-questions';

@Injectable()
export class PageReadiness {
  constructor(
    private readonly readiness: ReadReadiness,
    private readonly questions: PageQuestions,
  ) {}

  /** Else what is known since it was asked last. */
  of(client: Client, payeeId: string, cameBy?: CameBy): Promise<Readiness> {
    const mayAsk = (): boolean => this.questions.take({ client, payee: { id: payeeId } }, 'set_up', cameBy);
    return this.readiness.run(client, payeeId, () => client.status === 'active' && mayAsk());
  }

  /** No rail is asked. */
  known(client: Client, payeeId: string): Promise<Readiness> {
    return this.readiness.run(client, payeeId, () => false);
  }
}

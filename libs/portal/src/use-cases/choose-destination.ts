/** A payee says where a payment goes that waits for them: the rail checks the address first, and they see it once more. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Payout } from '#libs/payout-rules';
import { BeginLeg, PayoutReads } from '#libs/payouts';
import { type Arrival, DestinationCaller } from '#libs/rail-registry';
import { PageQuestions } from './page-questions';
import type { ClaimVisit } from './visit-claim';
import { isSamePerson } from './visit-portal';

export type Chosen =
  | { kind: 'taken'; destination: string }
  /** In the words of the rail. */
  | { kind: 'refused'; reason: string }
  | { kind: 'fixed' }
  /** The payee has to be checked first, and is not, or not any more. */
  | { kind: 'unchecked' }
  /** The operator blocked them. */
  | { kind: 'blocked' }
  /** The rail cannot be asked now, or was asked so often already. */
  | { kind: 'later' }
  /** The payment changed just now, or waits for nobody any more. */
  | { kind: 'changed' };

@Injectable()
export class ChooseDestination {
  constructor(
    private readonly beginning: BeginLeg,
    private readonly payouts: PayoutReads,
    private readonly destinations: DestinationCaller,
    private readonly questions: PageQuestions,
  ) {}

  /** null while nobody can say: the address is checked all the same. */
  arrivesAs({ payout }: ClaimVisit): Promise<Arrival | null> {
    return this.destinations.arrivesAs(payout.provider ?? '');
  }

  async check({ payout, payee, client }: ClaimVisit, entered: string): Promise<Chosen> {
    if (!this.questions.take({ client, payee }, 'waiting')) return { kind: 'later' };
    return answered(() => this.beginning.checked(payout, entered));
  }

  /** The address in the form in which it was shown. The same one twice moves the money once. */
  async begin({ payout, payee, client }: ClaimVisit, destination: string): Promise<Chosen> {
    if (!this.questions.take({ client, payee }, 'moving')) return { kind: 'later' };
    const begun = (from: Payout): Promise<Chosen> =>
      answered(async () => {
        await this.beginning.run(from, destination, (now) => isSamePerson(payee, now));
        return destination;
      });
    const first = await begun(payout);
    // Of two clicks at once one comes second: by now it may be begun, with this very address.
    const now = first.kind === 'changed' ? await this.payouts.find(payout.id) : null;
    // It may have been refused since as well: then it is for them to say yes once more.
    return now?.legs.length === payout.legs.length ? begun(now) : first;
  }
}

async function answered(work: () => Promise<string>): Promise<Chosen> {
  try {
    return { kind: 'taken', destination: await work() };
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    if (thrown.code === 'destination_refused') return { kind: 'refused', reason: thrown.message };
    if (thrown.code === 'destination_fixed') return { kind: 'fixed' };
    if (thrown.code === 'payee_not_payable') return { kind: 'blocked' };
    if (thrown.code === 'payee_not_checked') return { kind: 'unchecked' };
    if (thrown.code === 'service_unavailable') return { kind: 'later' };
    if (thrown.code === 'illegal_transition') return { kind: 'changed' };
    throw thrown;
  }
}

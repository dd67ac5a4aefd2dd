/** A payee's view of their money: how much it is, how each payment stands, and where it goes. */
import { Injectable } from '@nestjs/common';
import type { Custody, ListPlace } from '#libs/domain';
import { type Balance, BalanceBook } from '#libs/balances';
import { ForeseeWithdrawal, staysOwed, type WithdrawOutlook } from '#libs/disbursements';
import type { Payee, Readiness } from '#libs/payees';
import type { AccountDetails } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { hasAccountPages } from './account-pages';
import { PageReadiness } from './page-readiness';
import { type Payments, ReadPayments } from './read-payments';
import { type Hindrance, hindranceOf, lacksDetails, setUpStep, type SetUpStep } from './set-up-step';
import type { Owner } from './visit-portal';
import { goesTo } from './what-is-confirmed';

export interface Wallet extends Payments {
  payee: Payee;
  balances: Balance[];
  /** The obstacles to withdrawing it; null: there is nothing to withdraw, or they cannot be paid at all. */
  outlook: WithdrawOutlook | null;
  /** Of what could be withdrawn, what is outside the limits of one withdrawal: it stays while the rest goes. */
  stays: Balance[];
  /** Details by which they recognise the account they are paid to. */
  account: AccountDetails | null;
  /** Where a withdrawal goes, as they confirm it. */
  goesTo: string;
  custody: Custody | null;
  /** The provider who sends their money, by the name they know; null: they know none. */
  partner: string | null;
  /** The obstacle to every payment to them, whatever they do; null: none. */
  hindrance: Hindrance | null;
  /** The step before they can be paid, if it is theirs to take or to wait for; null: none. */
  setUp: SetUpStep | null;
  /** How they get a payment is theirs to choose once it waits for them. */
  choosesLater: boolean;
  /** The account that they are paid to has pages of its rail on which they can change it. */
  canChange: boolean;
}

@Injectable()
export class ReadWallet {
  constructor(
    private readonly balances: BalanceBook,
    private readonly payments: ReadPayments,
    private readonly readiness: PageReadiness,
    private readonly rails: Rails,
    private readonly foresee: ForeseeWithdrawal,
  ) {}

  async run(owner: Owner, after: ListPlace | null = null): Promise<Wallet> {
    const { client, payee: known } = owner;
    const [{ payee, method, blockers }, balances, payments] = await Promise.all([
      this.readiness.of(client, known.id),
      this.balances.allOf(known.id),
      this.payments.run(owner, after),
    ]);
    const { custody = null, knownAs: partner = null } = this.rails.traits(payee.provider) ?? {};
    const outlook = await this.outlookOf(client, { payee, blockers }, balances);
    return {
      payee,
      balances,
      outlook,
      stays: outlook ? staysOf(balances, outlook, client) : [],
      ...payments,
      ...this.standingOf(client, { payee, blockers }),
      choosesLater: custody === 'swap' || this.rails.leadsPayees(payee.provider),
      account: method?.details ?? null,
      goesTo: goesTo({ payee, method }),
      custody,
      partner,
    };
  }

  private standingOf(
    client: Owner['client'],
    { payee, blockers }: Pick<Readiness, 'payee' | 'blockers'>,
  ): Pick<Wallet, 'hindrance' | 'setUp' | 'canChange'> {
    const rail = this.rails.find(payee.provider ?? '');
    const hindrance = hindranceOf(client, { blockers }, rail?.rail != null);
    return {
      hindrance,
      setUp: payee.payable || !rail ? null : setUpStep(payee, client),
      canChange: payee.payable && hindrance === null && hasAccountPages(client, rail),
    };
  }

  private async outlookOf(
    client: Owner['client'],
    { payee, blockers }: Pick<Readiness, 'payee' | 'blockers'>,
    balances: Balance[],
  ): Promise<WithdrawOutlook | null> {
    const sums = withdrawableOf(balances);
    const isPaidNow = payee.payable && !payee.blocked;
    if (!isPaidNow || sums.length === 0) return null;
    const outlook = await this.foresee.run(client, payee, sums);
    return lacksDetails({ blockers }) ? { ...outlook, against: outlook.against ?? 'details' } : outlook;
  }
}

const staysOf = (balances: Balance[], outlook: WithdrawOutlook, client: Owner['client']): Balance[] =>
  balances.filter(({ withdrawableCents: cents }) => cents > 0 && staysOwed(cents, outlook, client));

export const withdrawableOf = (balances: Balance[]): number[] =>
  balances.flatMap(({ withdrawableCents }) => (withdrawableCents > 0 ? withdrawableCents : []));

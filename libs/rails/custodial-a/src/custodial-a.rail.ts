/** Everything that this rail can do, each part in a file of its own. */
import type {
  AccountAnswer,
  AccountRequest,
  HostsOnboarding,
  ListsMovements,
  LookupAnswer,
  MovesInLegs,
  Notice,
  NoticeReading,
  OnboardingLinkAnswer,
  OnboardingVisit,
  OpeningAnswer,
  OpensAccounts,
  Rail,
  RailCall,
  RailFunds,
  RailLeg,
  RailMovement,
  RailOrder,
  ReadsAccounts,
  ReadsNotices,
  ReportsFunding,
  SubmitAnswer,
  VerificationAnswer,
  Verifies,
} from '#libs/rail-kit';
import type { Accounts } from './accounts';
import { Legs } from './legs';
import type { Movements } from './movements';
import { type PaymentParts, Payments } from './payments';
import type { PlatformAccount } from './platform-account';
import type { StripeNotices } from './stripe.notices';

type Powers = MovesInLegs & ReadsAccounts & OpensAccounts & HostsOnboarding & ReadsNotices & More;
type More = ListsMovements & ReportsFunding & Verifies;

interface OtherParts {
  accounts: Accounts;
  notices: StripeNotices;
  movements: Movements;
  platform: PlatformAccount;
}

export class CustodialARail implements Rail, Powers {
  readonly #payments: Payments;
  readonly #legs: Legs;
  readonly #accounts: Accounts;
  readonly #notices: StripeNotices;
  readonly #movements: Movements;
  readonly #platform: PlatformAccount;

  constructor(parts: PaymentParts, others: OtherParts) {
    this.#payments = new Payments(parts);
    this.#legs = new Legs(parts, this.#payments);
    this.#accounts = others.accounts;
    this.#notices = others.notices;
    this.#movements = others.movements;
    this.#platform = others.platform;
  }

  submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    return this.#payments.submit(order, call);
  }

  lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    return this.#payments.lookup(order, call);
  }

  advance(order: RailOrder, leg: RailLeg, call?: RailCall): Promise<SubmitAnswer> {
    return this.#legs.advance(order, leg, call);
  }

  readAccount(accountId: string, call?: RailCall): Promise<AccountAnswer> {
    return this.#accounts.read(accountId, call);
  }

  openAccount(request: AccountRequest, call?: RailCall): Promise<OpeningAnswer> {
    return this.#accounts.open(request, call);
  }

  onboardingLink(accountId: string, visit: OnboardingVisit, call?: RailCall): Promise<OnboardingLinkAnswer> {
    return this.#accounts.link(accountId, visit, call);
  }

  async readNotice(notice: Notice): Promise<NoticeReading> {
    return this.#notices.read(notice);
  }

  movements(since: Date, until?: Date, call?: RailCall): AsyncIterable<RailMovement[]> {
    return this.#movements.list(since, until, call);
  }

  funding(call?: RailCall): Promise<RailFunds[]> {
    return this.#platform.funding(call);
  }

  verify(call?: RailCall): Promise<VerificationAnswer> {
    return this.#platform.verify(call);
  }
}

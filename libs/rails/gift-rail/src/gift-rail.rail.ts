/** Everything that this rail can do, each part in a file of its own. */
import type {
  LeadsPayees,
  LookupAnswer,
  Notice,
  NoticeReading,
  PayeeLinkAnswer,
  Rail,
  RailCall,
  RailFunds,
  RailOrder,
  ReadsNotices,
  ReportsFunding,
  SubmitAnswer,
  VerificationAnswer,
  Verifies,
} from '#libs/rail-kit';
import type { Balance } from './balance';
import type { PayeeLinks } from './payee-links';
import type { Payments } from './payments';
import type { TremendousNotices } from './tremendous.notices';

export class GiftRail implements Rail, LeadsPayees, ReadsNotices, ReportsFunding, Verifies {
  readonly #payments: Payments;
  readonly #links: PayeeLinks;
  readonly #notices: TremendousNotices;
  readonly #balance: Balance;

  constructor(payments: Payments, links: PayeeLinks, notices: TremendousNotices, balance: Balance) {
    this.#payments = payments;
    this.#links = links;
    this.#notices = notices;
    this.#balance = balance;
  }

  submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    return this.#payments.submit(order, call);
  }

  lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    return this.#payments.lookup(order, call);
  }

  payeeLink(order: RailOrder, call?: RailCall): Promise<PayeeLinkAnswer> {
    return this.#links.link(order, call);
  }

  handedOver(_: RailOrder, of: string): Promise<void> {
    return this.#links.handedOver(of);
  }

  readNotice(notice: Notice, call?: RailCall): Promise<NoticeReading> {
    return this.#notices.read(notice, call?.signal);
  }

  funding(call?: RailCall): Promise<RailFunds[]> {
    return this.#balance.funding(call);
  }

  verify(call?: RailCall): Promise<VerificationAnswer> {
    return this.#balance.verify(call);
  }
}

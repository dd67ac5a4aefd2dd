/** Everything that this rail can do, each part in a file of its own. */
import type {
  ArrivalFact,
  DestinationAnswer,
  LetsPayeesBegin,
  LookupAnswer,
  MovesInLegs,
  Notice,
  NoticeReading,
  NotNow,
  Rail,
  RailCall,
  RailFunds,
  RailLeg,
  RailOrder,
  ReadsNotices,
  ReportsFunding,
  SubmitAnswer,
  VerificationAnswer,
  Verifies,
} from '#libs/rail-kit';
import type { CircleNotices } from './circle.notices';
import type { Destinations } from './destinations';
import { Drains } from './drains';
import { type PaymentParts, Payments } from './payments';
import type { Treasury } from './treasury';

type Powers = MovesInLegs & LetsPayeesBegin & ReadsNotices & ReportsFunding & Verifies;

export class SwapRail implements Rail, Powers {
  readonly #payments: Payments;
  readonly #drains: Drains;
  readonly #destinations: Destinations;
  readonly #treasury: Treasury;
  readonly #notices: CircleNotices;

  constructor(parts: PaymentParts, destinations: Destinations, treasury: Treasury, notices: CircleNotices) {
    this.#payments = new Payments(parts);
    this.#drains = new Drains(parts, this.#payments);
    this.#destinations = destinations;
    this.#treasury = treasury;
    this.#notices = notices;
  }

  submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    return this.#payments.submit(order, call);
  }

  lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    return this.#payments.lookup(order, call);
  }

  advance(order: RailOrder, leg: RailLeg, call?: RailCall): Promise<SubmitAnswer> {
    return this.#drains.advance(order, leg, call);
  }

  checkDestination(order: RailOrder, entered: string, call?: RailCall): Promise<DestinationAnswer> {
    return this.#destinations.check(order, entered, call);
  }

  arrivesAs(call?: RailCall): Promise<ArrivalFact | NotNow> {
    return this.#destinations.arrivesAs(call);
  }

  readNotice(notice: Notice, call?: RailCall): Promise<NoticeReading> {
    return this.#notices.read(notice, call?.signal);
  }

  funding(call?: RailCall): Promise<RailFunds[]> {
    return this.#treasury.funding(call);
  }

  verify(call?: RailCall): Promise<VerificationAnswer> {
    return this.#treasury.verify(call);
  }
}

/** What a provider has of one payout that it was sent under several names, each of which began after it had called the one before over. */
import type { Accepted, AwaitingPayee, Claimed, LookupAnswer, Settled } from './facts';
import type { RailOrder } from './rail';

type Out = Accepted | AwaitingPayee | Claimed | Settled;
type Asked = Pick<RailOrder, 'amountCents' | 'currency'>;

/** A payout is tried some four times a day: those of a week are asked about before the next one. */
export const MOST_EARLIER_NAMES = 30;

const OUT: LookupAnswer['kind'][] = ['accepted', 'awaiting_payee', 'claimed', 'settled'];
const NOTHING: LookupAnswer['kind'][] = ['refused', 'never_seen'];

/**
 * The answer about the last name, unless the provider took back what it said of an earlier one: then that is what there is of the payout, and
 * nothing may be sent beside it. If nobody tells what became of the last name then, it counts as out too. `last`: null before the next name is
 * used. Returns null if nothing came of any.
 */
export function ofAllNames<Last extends LookupAnswer | null>(
  asked: Asked,
  last: Last,
  earlier: readonly LookupAnswer[],
): LookupAnswer | Last {
  const said = last ? [...earlier, last] : earlier;
  const out = said.filter(isOut);
  const doubts = said.filter((each) => contradictsItself(each) || (each === last && isUnsaid(each)));
  if (out[0]) return out.length + doubts.length > 1 ? together(asked, out, doubts.length) : out[0];
  const doubt = doubts.find(contradictsItself);
  if (doubt) return doubt;
  if (last && !NOTHING.includes(last.kind)) return last;
  return earlier.find(({ kind }) => !NOTHING.includes(kind)) ?? last;
}

/** With a last name of which nobody can tell without sending it: told as if both were out. */
export const withOneInDoubt = (asked: Asked, told: LookupAnswer): LookupAnswer =>
  isOut(told) ? together(asked, [told], 1) : told;

const isOut = (said: LookupAnswer): said is Out => OUT.includes(said.kind);

const isUnsaid = ({ kind }: LookupAnswer): boolean => kind === 'unknown' || kind === 'not_now';

const contradictsItself = (said: LookupAnswer): boolean => said.kind === 'unknown' && said.contradicts === true;

/**
 * More than once. It is told as what it comes to: nobody takes that for what was asked for, and a difference names it. No call follows from
 * it.
 */
function together(asked: Asked, out: Out[], doubts: number): LookupAnswer {
  const known = out.reduce((sum, { echo = asked }) => sum + echo.amountCents, 0);
  const moved = out.find(({ kind }) => kind === 'settled') ?? out[0];
  const amountCents = known + doubts * asked.amountCents;
  const { next: _, ...told } = { next: undefined, ...(moved as Out) };
  return { ...told, echo: { amountCents, currency: asked.currency } };
}

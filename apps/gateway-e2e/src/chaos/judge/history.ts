/**
 * What happened to one payee's money, line by line: what was asked and answered, what was sent under which code, what the
 * provider made of it, what moved, what was decided here, and what was done to the processes meanwhile.
 */
import type { Evidence, PayoutRow } from './evidence';
import { eur, type Violation } from './violation';

interface Line {
  at: number;
  text: string;
}

const MOST_LINES = 120;
/** So long before and after each thing that a violation is about, the rest of a payee's history is of interest. */
const AROUND_MS = 4_000;

/** Of the codes that a violation names; if it names none, of everything of the payee. */
export function historyOf(evidence: Evidence, { payees = [], codes = [] }: Violation): string[] {
  const names = codes.length > 0 ? new Set(codes) : codesOf(evidence, payees);
  const own = [...ledgerLines(evidence, names), ...callLines(evidence, names), ...trailLines(evidence, names)];
  const asks = askLines(evidence, payees, names);
  if (own.length === 0) return shown(evidence, asks);
  const isNear = ({ at }: Line): boolean => own.some((line) => Math.abs(line.at - at) <= AROUND_MS);
  const others = [...asks, ...happeningLines(evidence, names)].filter(isNear);
  return shown(evidence, [...own, ...others]);
}

function shown({ beganAt }: Evidence, lines: Line[]): string[] {
  const sorted = [...lines].sort((a, b) => a.at - b.at);
  const texts = sorted.map(({ at, text }) => `${((at - beganAt) / 1000).toFixed(3).padStart(8)}  ${text}`);
  const over = texts.length - MOST_LINES;
  return over > 0 ? [`          (${over} lines before)`, ...texts.slice(-MOST_LINES)] : texts;
}

/** What did not simply go well, and whatever pays rows: those are what meets each other. */
function codesOf({ payouts, payeeById }: Evidence, payees: string[]): Set<string> {
  const mine = payouts.filter(({ payee_id }) => payees.includes(payeeById.get(payee_id)?.externalId ?? ''));
  return new Set(mine.filter(({ consolidates }) => consolidates).map(({ rail_key }) => rail_key));
}

const short = (code: string): string => code.slice(0, 10);

function nameOf({ payouts }: Evidence, code: string): string {
  const mine = payouts.filter(({ rail_key }) => rail_key === code);
  return `code ${short(code)} of ${mine.map(describe).join(', ') || 'no payout'}`;
}

const describe = ({ id, source, amount_cents }: PayoutRow): string => `${source} ${id.slice(-6)} ${eur(amount_cents)}`;

function ledgerLines(evidence: Evidence, codes: Set<string>): Line[] {
  return evidence.ledger
    .filter(({ code }) => codes.has(code))
    .map(({ at, code, event, amountCents, destination, failure, next }) => {
      const what =
        event === 'settled'
          ? `MOVED ${eur(amountCents)} to ${destination}`
          : `now ${event}${failure ? `, ${failure}` : ''}${next ? `, will ${next}` : ''}`;
      return { at, text: `provider   ${what}    ${nameOf(evidence, code)}` };
    });
}

function callLines(evidence: Evidence, codes: Set<string>): Line[] {
  return evidence.calls
    .filter(({ code }) => codes.has(code))
    .flatMap(({ call, code, caller, nth, receivedAt, at, outcome, delivery, destination }) => {
      const who = processOf(evidence, caller, receivedAt);
      const what = call === 'submit' ? `sends (${nth}.) to ${destination}` : `asks (${nth}.)`;
      const answer = {
        at,
        text: `provider   to ${who}: ${outcome} [${delivery}]    code ${short(code)}, ${call} ${nth}`,
      };
      return [{ at: receivedAt, text: `${who.padEnd(10)} ${what}    code ${short(code)}` }, answer];
    });
}

/** A pid is a process of one name until that one is killed; the chronicle knows the names. */
function processOf({ happenings }: Evidence, pid: number, at: number): string {
  const known =
    happenings.findLast((one) => one.pid === pid && one.at <= at) ?? happenings.find((one) => one.pid === pid);
  return known ? `${known.to}` : `pid ${pid}`;
}

function trailLines(evidence: Evidence, codes: Set<string>): Line[] {
  const mine = evidence.payouts.filter(({ rail_key }) => codes.has(rail_key));
  const steps = evidence.trail.flatMap(({ payout_id, type, from_status, to_status, status_reason, actor, at }) => {
    const payout = mine.find(({ id }) => id === payout_id);
    if (!payout) return [];
    const why = status_reason ? ` (${status_reason})` : '';
    const what = `${from_status ?? 'nothing'} -> ${to_status} by ${type} of ${actor}${why}`;
    return [{ at, text: `database   ${what}    ${describe(payout)}` }];
  });
  const drift = evidence.drift
    .filter(({ rail_key }) => codes.has(rail_key))
    .map(({ found, kind, rail_key, open }) => ({
      ...{ at: found, text: `database   drift: ${kind}${open ? '' : ', since resolved'}    code ${short(rail_key)}` },
    }));
  return [...steps, ...drift];
}

/** Whatever may move rows or where they go, and of direct payments those that the codes are about. */
function askLines({ model, payouts }: Evidence, payees: string[], codes: Set<string>): Line[] {
  const mine = payouts.filter(({ rail_key }) => codes.has(rail_key));
  const words = mine.flatMap(({ id, idempotency_key }) => [id, idempotency_key]);
  const parties = model.payees.filter(({ externalId }) => payees.includes(externalId)).map(({ party }) => party.name);
  const about = (what: string): boolean =>
    parties.some((name) => what === `${name} suspended` || what === `${name} active`);
  return model.asks
    .filter(({ payee, what }) => (payee === null ? about(what) : payees.includes(payee)))
    .filter(
      ({ what }) => !/^(pay|retry|release|operator fails) /.test(what) || words.some((word) => what.includes(word)),
    )
    .flatMap(({ party, what, tries }) =>
      tries.flatMap(({ at, answeredAt, answer }, index) => {
        // The first and the last of many tries tell it all.
        if (index > 0 && index < tries.length - 1) return [];
        const nth = index > 0 ? ` (${index + 1}. try)` : '';
        const seconds = ((answeredAt - at) / 1000).toFixed(2);
        return [{ at, text: `${party.padEnd(10)} ${what}${nth} => ${answer} after ${seconds} s` }];
      }),
    );
}

/** What was done to those who called about these codes, and to what everybody needs. */
function happeningLines({ happenings, calls }: Evidence, codes: Set<string>): Line[] {
  const callers = new Set(calls.filter(({ code }) => codes.has(code)).map(({ caller }) => caller));
  return happenings
    .filter(({ pid }) => pid === undefined || callers.has(pid))
    .map(({ at, to, what }) => ({ at, text: `** ${to} ${what}` }));
}

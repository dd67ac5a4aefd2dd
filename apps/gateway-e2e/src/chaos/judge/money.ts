/** What the rails moved is at most what was owed or asked for, to the cent, for every payee. */
import type { Payee } from '../workload/model';
import type { Evidence, Movement, PayoutRow } from './evidence';
import { disputed } from './notice';
import { eur, type Violation } from './violation';

const OF_ROWS = ['withdraw', 'portal', 'auto_release'];
const sum = (numbers: number[]): number => numbers.reduce((total, one) => total + one, 0);

export function moneyViolations(evidence: Evidence): Violation[] {
  const payeeOf = payeesByMovement(evidence);
  return [
    ...evidence.movements.flatMap((movement) => strangers(evidence, movement, payeeOf.get(movement) ?? null)),
    ...evidence.model.payees.flatMap((payee) => overpaid(evidence, payee, payeeOf)),
  ];
}

/** By where the money went, which is the provider's word: what the gateway meant counts for nothing. */
function payeesByMovement({ model, movements, payouts, payeeById }: Evidence): Map<Movement, Payee> {
  const byDestination = new Map<string, Payee>();
  for (const payee of model.payees) {
    if (payee.account) byDestination.set(payee.account, payee);
    for (const { value } of model.emails.get(payee) ?? []) byDestination.set(value, payee);
  }
  const found = movements.flatMap((movement): [Movement, Payee][] => {
    const { destination, code } = movement;
    const testPayee = payeeById.get(payouts.find(({ rail_key }) => rail_key === code)?.payee_id ?? '');
    const payee = destination === null ? testPayee : byDestination.get(destination);
    return payee ? [[movement, payee]] : [];
  });
  return new Map(found);
}

/** Money that the gateway knows nothing of, or other money than it knows of. */
function strangers({ payouts, payeeById }: Evidence, movement: Movement, payee: Payee | null): Violation[] {
  const { rail, code, destination, amountCents, currency } = movement;
  const what = `${rail} moved ${eur(amountCents)} ${currency} to ${destination ?? payee?.externalId} under ${code}`;
  const about = { codes: [code], payees: payee ? [payee.externalId] : [] };
  if (!payee) return [{ rule: 'money goes to payees', text: `${what}: that is nobody's.`, ...about }];
  const mine = payouts.filter(({ rail_key, provider }) => rail_key === code && provider === rail);
  if (mine.length === 0) return [{ rule: 'money has a payout', text: `${what}: no payout has this code.`, ...about }];
  const differs = mine.find((payout) => payout.amount_cents !== amountCents || payout.currency !== currency);
  if (differs)
    return [
      { rule: 'money is that of its payout', text: `${what}: payout ${differs.id} is of other money.`, ...about },
    ];
  const foreign = mine.find(({ payee_id }) => payeeById.get(payee_id) !== payee);
  if (!foreign) return [];
  return [{ rule: 'money goes to payees', text: `${what}: payout ${foreign.id} is somebody else's.`, ...about }];
}

function overpaid(evidence: Evidence, payee: Payee, payeeOf: Map<Movement, Payee>): Violation[] {
  const { movements, payouts, model, rows, drift } = evidence;
  const mine = movements.filter((movement) => payeeOf.get(movement) === payee);
  // A payout of the caller's own that rows were linked to was asked for, and is no payout of rows.
  const consolidating = new Set(
    payouts.filter(({ source }) => OF_ROWS.includes(source)).map(({ rail_key }) => rail_key),
  );
  const direct = mine.filter(({ code }) => !consolidating.has(code));
  const ofRows = mine.filter(({ code }) => consolidating.has(code));
  const asked = [...model.payouts.values()].filter((wish) => wish.payee === payee);
  const pushed = [...model.rows.values()].filter((row) => row.payee === payee);
  const cameBack = sum([...ofRows, ...linkedTo(evidence, payee, direct)].map(({ returnedCents }) => returnedCents));
  const named = disputed({ payouts, drift });
  // A link asks no rail: if it turns out that both payouts moved, both were asked for, and the drift that names it is all
  // that can be done.
  const linked = model.links.filter(
    ({ payoutId, earlierId, ...link }) =>
      link.payee === payee && movedItself(evidence, payoutId) && !named.has(earlierId),
  );
  const paidOtherwise = sum(linked.map(({ amountCents }) => amountCents));
  const owedInAll = sum(pushed.map(({ amountCents }) => amountCents)) + cameBack - paidOtherwise;
  const movedForRows = sum(ofRows.map(({ amountCents }) => amountCents));
  const movedDirectly = sum(direct.map(({ amountCents }) => amountCents));
  const askedDirectly = sum(asked.map(({ amountCents }) => amountCents));
  const stillOwed = sum(
    rows
      .filter(({ payee_id, status }) => payee_id === payee.id && status === 'owed')
      .filter(({ transaction_id }) => !named.has(transaction_id))
      .map(({ amount_cents }) => amount_cents),
  );
  const about = { payees: [payee.externalId], codes: suspects(mine, payouts) };
  const found: Violation[] = [];
  if (movedDirectly > askedDirectly)
    found.push({
      rule: 'no more is moved than was asked for',
      text: `${payee.externalId} was to be paid ${eur(askedDirectly)} directly, and ${eur(movedDirectly)} moved.`,
      ...about,
    });
  if (movedForRows > owedInAll)
    found.push({
      rule: 'no more is moved than was owed',
      text: `${payee.externalId} was owed ${eur(owedInAll)}, and ${eur(movedForRows)} moved: ${eur(movedForRows - owedInAll)} too much.`,
      ...about,
    });
  else if (movedForRows + stillOwed > owedInAll)
    found.push({
      rule: 'what moved is not owed again',
      text: `${payee.externalId} was owed ${eur(owedInAll)} in all; ${eur(movedForRows)} moved, and ${eur(stillOwed)} is said to be owed still.`,
      ...about,
    });
  return found;
}

/** What comes back of a payment that rows were linked to is owed anew, as what comes back of a payout of rows is. */
function linkedTo({ model, payouts }: Evidence, payee: Payee, direct: Movement[]): Movement[] {
  const ids = new Set(model.links.filter((link) => link.payee === payee).map(({ payoutId }) => payoutId));
  const codes = new Set(payouts.filter(({ id }) => ids.has(id)).map(({ rail_key }) => rail_key));
  return direct.filter(({ code }) => codes.has(code));
}

/** Rows that were linked to it leave under its code once more if it failed: then what moved is theirs, and is counted there. */
function movedItself({ payouts, movements }: Evidence, payoutId: string): boolean {
  const railKey = payouts.find(({ id }) => id === payoutId)?.rail_key;
  const others = payouts.filter(({ id, rail_key }) => id !== payoutId && rail_key === railKey);
  return movements.some(({ code }) => code === railKey) && !others.some(({ source }) => OF_ROWS.includes(source));
}

/** Those whose money moved although their payout does not say so, and whatever took their rows then: where to look first. */
function suspects(mine: Movement[], payouts: PayoutRow[]): string[] {
  const codes = mine.flatMap(({ code }) => {
    const known = payouts.filter(({ rail_key }) => rail_key === code);
    if (known.some(({ status }) => status === 'paid' || status === 'returned')) return [];
    const successors = payouts.filter(({ id }) => known.some(({ superseded_by }) => superseded_by === id));
    return [code, ...successors.map(({ rail_key }) => rail_key)];
  });
  return [...new Set(codes)];
}

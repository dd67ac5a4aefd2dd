/** Everything that was accepted is still there, as it was accepted, for the caller who asks; and one key is one payout. */
import type { Json } from '../../harness/api';
import type { Caller } from '../workload/caller';
import type { Model, Party, Payee } from '../workload/model';
import type { Violation } from './violation';

/** Small, so that there is always a second page. */
const PAGE = 40;
const RULE = 'what was accepted is kept';

export async function keptViolations(model: Model, caller: Caller): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const party of model.parties) {
    const payouts = await everything(caller, party, '/payouts', 'cursor2', 'nextCursor2');
    const rows = await everything(caller, party, '/disbursements', 'cursor', 'nextCursor');
    const payees = await everything(caller, party, '/payees', 'cursor', 'nextCursor');
    found.push(
      ...payoutsKept(model, party, payouts),
      ...rowsKept(model, party, rows),
      ...emailsKept(model, party, payees),
    );
  }
  return [...found, ...(await depositsKept(model, caller)), ...surprises(model)];
}

async function everything(
  caller: Caller,
  party: Party,
  list: string,
  cursorName: string,
  nextName: string,
): Promise<Map<string, Json>> {
  const items = new Map<string, Json>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const more: string = cursor === '' ? '' : `&${cursorName}=${encodeURIComponent(cursor)}`;
    const path = `${list}?limit=${PAGE}${more}`;
    const { status, body } = await caller.asClient(party, { method: 'GET', path, what: `read ${list}` });
    if (status !== 200) throw new Error(`${list} cannot be read: ${status} ${JSON.stringify(body)}`);
    for (const item of body.data) items.set(item.id, item);
    cursor = body[nextName];
  }
  return items;
}

function payoutsKept(model: Model, party: Party, there: Map<string, Json>): Violation[] {
  return [...model.payouts.values()]
    .filter(({ payee }) => payee.party === party)
    .flatMap(({ payee, key, ids, made, amountCents, currency, reason }) => {
      const about = { rule: RULE, payees: [payee.externalId] };
      const found: Violation[] = [];
      if (ids.size > 1) found.push({ ...about, text: `Key ${key} was answered as ${[...ids].join(' and ')}.` });
      if (made > 1) found.push({ ...about, text: `Key ${key} was answered as new ${made} times.` });
      for (const id of ids) {
        const now = there.get(id);
        if (!now) found.push({ ...about, text: `Payout ${id}, key ${key}, was accepted and is gone.` });
        else if (!isLike(now, { payeeId: payee.id, idempotencyKey: key, amountCents, currency, reason }))
          found.push({ ...about, text: `Payout ${id} is not what was accepted: ${JSON.stringify(now)}.` });
      }
      return found;
    });
}

function rowsKept(model: Model, party: Party, there: Map<string, Json>): Violation[] {
  return [...model.rows.values()]
    .filter(({ payee }) => payee.party === party)
    .flatMap(({ payee, ref, id, amountCents, currency }) => {
      const about = { rule: RULE, payees: [payee.externalId] };
      const now = id === null ? undefined : there.get(id);
      if (id !== null && !now) return [{ ...about, text: `Row ${ref} was accepted as ${id} and is gone.` }];
      if (now && !isLike(now, { payeeId: payee.id, externalRef: ref, amountCents, currency }))
        return [{ ...about, text: `Row ${ref} is not what was accepted: ${JSON.stringify(now)}.` }];
      return [];
    });
}

/** If one change was answered before the next was asked for, the last one stands. */
function emailsKept({ emails }: Model, party: Party, there: Map<string, Json>): Violation[] {
  return party.payees.flatMap((payee: Payee) => {
    const now = there.get(payee.id);
    const spells = emails.get(payee) ?? [];
    const last = spells.at(-1);
    const late = spells.some(({ value, mayComeAgain }) => mayComeAgain && value === now?.email);
    if (now && (late || last?.answeredAt === null || now.email === last?.value)) return [];
    const text = `${payee.externalId} has the e-mail ${now?.email}; the last that was accepted is ${last?.value}.`;
    return [{ rule: RULE, text, payees: [payee.externalId] }];
  });
}

async function depositsKept({ deposits, parties }: Model, caller: Caller): Promise<Violation[]> {
  const prepaid = parties.at(-1) as Party;
  const { body } = await caller.asClient(prepaid, { method: 'GET', path: '/wallet', what: 'read the wallet' });
  const deposited = (body as Json[]).reduce((sum, wallet) => sum + wallet.depositedCents, 0);
  const answered = [...deposits.values()].reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (deposited === answered) return [];
  return [{ rule: RULE, text: `The wallet says ${deposited} was deposited; ${answered} was.` }];
}

function surprises({ surprises: all }: Model): Violation[] {
  return all.map(({ payee, text }) => ({
    ...{ rule: 'good requests are accepted', text, payees: payee ? [payee.externalId] : [] },
  }));
}

function isLike(now: Json, then: Record<string, unknown>): boolean {
  return Object.entries(then).every(([field, value]) => now[field] === value);
}

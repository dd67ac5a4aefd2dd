/** What was sent to the provider: one destination for each code, nothing new for whoever is blocked or suspended. */
import type { CallLine, Evidence, PayoutRow } from './evidence';
import type { Spell } from '../workload/model';
import type { Violation } from './violation';

/** A call that was on its way when the block was answered may still arrive. */
const ON_ITS_WAY_MS = 2_000;

export function orderViolations(evidence: Evidence): Violation[] {
  const byPayout = new Map<string, CallLine[]>();
  for (const call of evidence.calls)
    if (call.payout) byPayout.set(call.payout, [...(byPayout.get(call.payout) ?? []), call]);
  return [...byPayout].flatMap(([id, calls]) => {
    const payout = evidence.payouts.find((one) => one.id === id);
    const first = [...calls].sort((a, b) => a.receivedAt - b.receivedAt)[0];
    if (!payout || !first) return [];
    const about = { codes: [payout.rail_key], payees: [evidence.payeeById.get(payout.payee_id)?.externalId ?? ''] };
    const found = [...moved(calls, payout), ...changed(evidence, payout, first), ...blocked(evidence, payout, first)];
    return found.map((violation) => ({ ...violation, ...about }));
  });
}

function moved(calls: CallLine[], payout: PayoutRow): Violation[] {
  const destinations = new Set(calls.map(({ destination }) => destination));
  if (destinations.size <= 1) return [];
  const text = `Payout ${payout.id} was sent to ${[...destinations].join(' and then to ')}.`;
  return [{ rule: 'a destination is fixed', text }];
}

/** It was answered as on its way before the change was asked for, and rested nowhere since: it goes to the old address. */
function changed(evidence: Evidence, payout: PayoutRow, first: CallLine): Violation[] {
  const { model, trail, payeeById } = evidence;
  const payee = payeeById.get(payout.payee_id);
  const mine = trail.filter(({ payout_id }) => payout_id === payout.id);
  const routed = mine.filter(({ to_status }) => to_status === 'authorized' || to_status === 'submitted')[0];
  const rested = mine.some(({ to_status, at }) => ['held', 'failed'].includes(to_status) && at <= first.receivedAt);
  if (!payee || payee.account || payout.provider === 'mock' || !routed || rested) return [];
  const known = (model.emails.get(payee) ?? []).filter(
    ({ askedAt }) => askedAt < authorizedBy(evidence, payout, first),
  );
  // Of those asked for before it was authorized, the last that was answered by then, and any that was not.
  const settled = known.findLastIndex(({ answeredAt }) => answeredAt !== null && answeredAt < routed.at);
  const right = known.filter((spell, index) => spell.mayComeAgain || index >= settled).map(({ value }) => value);
  if (right.includes(first.destination ?? '')) return [];
  const text = `Payout ${payout.id} was authorized for ${right.join(' or ')} and sent to ${first.destination}.`;
  return [{ rule: 'a destination is fixed', text }];
}

/** The clock of a step is that of its transaction's beginning, so what followed it tells by when it was done. */
function authorizedBy({ model, trail }: Evidence, payout: PayoutRow, first: CallLine): number {
  const { first: answer } = model.payouts.get(payout.idempotency_key) ?? {};
  const submitted = trail.find(({ payout_id, type }) => payout_id === payout.id && type === 'submit');
  const routed = trail.find(({ payout_id, type }) => payout_id === payout.id && type === 'route');
  const apart = submitted && routed && submitted.at > routed.at ? submitted.at : Infinity;
  return Math.min(answer?.at ?? Infinity, apart, first.receivedAt);
}

function blocked(evidence: Evidence, payout: PayoutRow, first: CallLine): Violation[] {
  const { model, payeeById, happenings } = evidence;
  const payee = payeeById.get(payout.payee_id);
  if (!payee) return [];
  const blocks = model.blocks.get(payee) ?? [];
  const suspensions = model.suspensions.get(payee.party) ?? [];
  const about = [
    { who: `${payee.externalId} was blocked`, spells: blocks },
    { who: `${payee.party.name} was suspended`, spells: suspensions },
  ];
  return about.flatMap(({ who, spells }) => {
    const spell = spellAt(spells, first.receivedAt);
    const since = spell?.answeredAt ?? null;
    if (!spell?.value || since === null || first.receivedAt - since < ON_ITS_WAY_MS) return [];
    if (spells.some((other) => !other.value && other.mayComeAgain)) return [];
    // Whoever stood still between the look at the payee and the call is excused: nobody can look and send at once. And
    // what a provider that stood still reads now may have been sent long ago.
    const stood = happenings.some(
      ({ to, pid, what, at }) =>
        (pid === first.caller || to === 'provider') &&
        /stopped|goes on/.test(what) &&
        at >= since - 30_000 &&
        at <= first.receivedAt,
    );
    if (stood) return [];
    const seconds = ((first.receivedAt - since) / 1000).toFixed(1);
    return [
      {
        rule: 'a block stops what was not sent',
        text: `Payout ${payout.id} was first sent ${seconds} s after ${who}.`,
      },
    ];
  });
}

/** The spell in which that instant lies; the next one may have begun as soon as it was asked for. */
function spellAt<T>(spells: Spell<T>[], at: number): Spell<T> | undefined {
  return spells.findLast(({ askedAt }) => askedAt <= at);
}

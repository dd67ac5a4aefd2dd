// Which filters are asked for: every combination of the five, and single ones that match little or nothing.
import { COMMON, RARE } from '../seeding.mjs';

export function filterCombinations({ caller, range }) {
  const parts = [
    { name: 'status', filter: { status: COMMON.status } },
    { name: 'payeeId', filter: { payeeId: caller.payees[0] } },
    { name: 'ref', filter: { ref: COMMON.ref } },
    { name: 'provider', filter: { provider: COMMON.provider } },
    { name: 'createdFrom/To', filter: range },
  ];
  const combinations = Array.from({ length: 1 << parts.length }, (_, bits) =>
    parts.filter((_, place) => bits & (1 << place)),
  );
  return [
    ...combinations.sort((a, b) => a.length - b.length).map(joined),
    { name: 'createdFrom', filter: { createdFrom: range.createdFrom } },
    { name: 'createdTo', filter: { createdTo: range.createdTo } },
    { name: `status (rare)`, filter: { status: RARE.status } },
    { name: `provider (rare)`, filter: { provider: RARE.provider } },
    { name: `provider (never used)`, filter: { provider: 'no_such_rail' } },
    { name: `status and provider (rare)`, filter: { status: COMMON.status, provider: RARE.provider } },
    { name: `payeeId and provider (rare)`, filter: { payeeId: caller.payees[0], provider: RARE.provider } },
  ];
}

function joined(parts) {
  const name = parts.map((part) => part.name).join(' + ') || 'none';
  return { name, filter: Object.assign({}, ...parts.map((part) => part.filter)) };
}

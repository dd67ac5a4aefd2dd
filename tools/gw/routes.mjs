// The country table is replaced as a whole: this changes the rows that are named and keeps the others. What is blocked is not told unless
// it changes, and stays as it is then: another operator may have blocked a country meanwhile.
import { list, pairs, words } from './flags.mjs';

export const ROUTE_FLAGS = {
  route: pairs(
    'country=rail,rail',
    'the rails of a country, best first; * is every other one; none after = ends it',
    words,
  ),
  block: list('AA,BB', 'countries where nobody is paid'),
  unblock: list('AA,BB', 'countries that are open again'),
};

export function changedRoutes({ routes, blockedCountries }, { route = [], block = [], unblock = [] }) {
  const after = { ...routes, ...Object.fromEntries(route) };
  const blocked = [...new Set([...blockedCountries, ...block])].filter((code) => !unblock.includes(code)).sort();
  return {
    routes: Object.fromEntries(Object.entries(after).filter(([, rails]) => rails.length > 0)),
    ...(block.length + unblock.length > 0 ? { blockedCountries: blocked } : {}),
  };
}

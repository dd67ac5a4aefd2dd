// The country table is replaced as a whole: this changes the rows that are named and keeps the others.
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
  return {
    routes: Object.fromEntries(Object.entries(after).filter(([, rails]) => rails.length > 0)),
    blockedCountries: [...new Set([...blockedCountries, ...block])].filter((code) => !unblock.includes(code)).sort(),
  };
}

/** Where a request comes from, as it is counted: however an address is written, and whichever of its many somebody uses. */
import { isIPv4, isIPv6 } from 'node:net';

/** Everything that is not an address counts as coming from one place. Only a proxy in front could have let it through. */
const NOWHERE = 'nowhere';

/** An owner of one IPv6 address has 2^64 of them. Some proxies write the port behind the address. */
export function neighbourhoodOf(address = ''): string {
  const bare = withoutPort(address.trim());
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return NOWHERE;
  const groups = groupsOf(bare);
  const [high = 0, low = 0] = groups.slice(6);
  if (isMapped(groups)) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

function withoutPort(address: string): string {
  const [, inBrackets] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address) ?? [];
  if (inBrackets !== undefined) return inBrackets;
  return address.replace(/^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/, '$1');
}

/** Of an address that is known to be one: eight numbers. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [before = [], behind = []] = plain.split('::').map((half) => half.split(':').filter(Boolean));
  const missing = 8 - before.length - behind.length;
  return [...before, ...Array.from({ length: missing }, () => '0'), ...behind].map((part) => parseInt(part, 16));
}

/** An IPv4 address that is written as an IPv6 one. */
const isMapped = (groups: number[]): boolean =>
  groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;

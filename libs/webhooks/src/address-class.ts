/**
 * Which addresses of the internet are really out there. Everything else is a way back into somebody's own network, and a
 * caller's webhook URL must never lead us there. Sources: the IANA special-purpose registries of IPv4 and IPv6.
 */
import { BlockList, isIP } from 'node:net';

const IPV4 = {
  '0.0.0.0/8': 'this_network',
  '10.0.0.0/8': 'private',
  '100.64.0.0/10': 'carrier_nat',
  '127.0.0.0/8': 'loopback',
  '168.63.129.16/32': 'cloud_metadata', // public by its number, but answered by the host of a virtual machine
  '169.254.0.0/16': 'link_local',
  '172.16.0.0/12': 'private',
  '192.0.0.0/24': 'protocol_assignment',
  '192.0.2.0/24': 'documentation',
  '192.88.99.0/24': 'six_to_four',
  '192.168.0.0/16': 'private',
  '198.18.0.0/15': 'benchmarking',
  '198.51.100.0/24': 'documentation',
  '203.0.113.0/24': 'documentation',
  '224.0.0.0/4': 'multicast',
  '240.0.0.0/4': 'reserved',
} as const;

/** The first that holds the address names it, so narrow ranges stand before wide ones. */
const IPV6 = {
  '::/128': 'unspecified',
  '::1/128': 'loopback',
  '::ffff:0:0/96': 'ipv4_mapped',
  '::/96': 'ipv4_compatible',
  '64:ff9b::/96': 'nat64',
  '64:ff9b:1::/48': 'nat64',
  '100::/64': 'discard',
  '2001::/32': 'teredo',
  '2001::/23': 'protocol_assignment',
  '2001:db8::/32': 'documentation',
  '2002::/16': 'six_to_four',
  '3fff::/20': 'documentation',
  'fc00::/7': 'unique_local',
  'fe80::/10': 'link_local',
  'fec0::/10': 'site_local',
  'ff00::/8': 'multicast',
} as const;

export type AddressClass =
  'public' | (typeof IPV4)[keyof typeof IPV4] | (typeof IPV6)[keyof typeof IPV6] | 'unassigned' | 'no_address';

export function addressClass(address: string): AddressClass {
  const family = isIP(address);
  if (family === 0) return 'no_address';
  if (family === 4) return firstMatch(RANGES4, address, 'ipv4') ?? 'public';
  if (address.includes('%')) return 'link_local'; // a zone makes sense on one link only
  return firstMatch(RANGES6, address, 'ipv6') ?? (GLOBAL6.check(address, 'ipv6') ? 'public' : 'unassigned');
}

interface Range {
  name: AddressClass;
  list: BlockList;
}

const RANGES4 = ranges(IPV4, 'ipv4');
const RANGES6 = ranges(IPV6, 'ipv6');
/** The only part of IPv6 that is handed out for use on the internet. */
const GLOBAL6 = range('2000::/3', 'ipv6');

function ranges(table: Record<string, AddressClass>, family: 'ipv4' | 'ipv6'): Range[] {
  return Object.entries(table).map(([cidr, name]) => ({ name, list: range(cidr, family) }));
}

function range(cidr: string, family: 'ipv4' | 'ipv6'): BlockList {
  const [network, bits] = cidr.split('/') as [string, string];
  const list = new BlockList();
  list.addSubnet(network, Number(bits), family);
  return list;
}

function firstMatch(candidates: Range[], address: string, family: 'ipv4' | 'ipv6'): AddressClass | undefined {
  return candidates.find(({ list }) => list.check(address, family))?.name;
}

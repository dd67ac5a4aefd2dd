/** Names to addresses. */
import { lookup, Resolver } from 'node:dns/promises';

export type LookUp = (name: string) => Promise<string[]>;

/** As every program on this machine does it, /etc/hosts included. */
export const systemLookUp: LookUp = async (name) => {
  const found = await lookup(name, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
};

/**
 * Straight from DNS. The system's way has four threads for the whole process: a caller whose name server never answers
 * would hold them all, and with them everybody's deliveries.
 */
export const dnsLookUp: LookUp = async (name) => {
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
  return addresses;
};

const resolver = new Resolver({ timeout: 2_000, tries: 2 });

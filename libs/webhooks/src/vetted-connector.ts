/**
 * Opens the connections of deliveries. A name is looked up once, every address it has is judged, and the very address that
 * was judged is dialled: a name server that answers differently the next time is not asked a next time.
 */
import { isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { buildConnector } from 'undici';
import { type AddressClass, addressClass } from './address-class';
import type { LookUp } from './look-up';
import { secureDial } from './secure-dial';
import { bareHost } from './webhook-url';

/** Each of a name's addresses is given this long, so that a dead one leaves time for the next. */
const DIAL_TIMEOUT_MS = 4_000;
/** Of six thousand, which fit into one answer of DNS, none but these is judged or dialled: each takes its moment. */
const MAX_ADDRESSES = 16;

export class RefusedAddress extends Error {
  constructor(kind: AddressClass) {
    super(
      `The webhook's host leads to ${kind === 'public' ? 'this service itself' : `an address that is not public (${kind})`}.`,
    );
  }
}

export interface Vetting {
  /** Outside production a webhook may well be on this machine. */
  anyAddress: boolean;
  lookUp: LookUp;
  /** For the name and all of its addresses. */
  withinMs: number;
}

export function vettedConnector(
  { anyAddress, lookUp, withinMs }: Vetting,
  dial: buildConnector.connector = secureDial(DIAL_TIMEOUT_MS),
): buildConnector.connector {
  return (target, done) => {
    const host = bareHost(target.hostname);
    const overAt = performance.now() + withinMs;
    const addresses = isIP(host) ? Promise.resolve([host]) : within(withinMs, lookUp(host));
    addresses
      .then((found) => found.slice(0, MAX_ADDRESSES))
      .then((found) => (anyAddress ? found : vetted(found)))
      .then((safe) => dialFirst(safe, target, { dial, overAt }))
      .then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      );
  };
}

/** One bad address among good ones condemns the name: nobody has both by accident. */
function vetted(addresses: string[]): string[] {
  const own = ownAddresses();
  for (const address of addresses) {
    const kind = addressClass(address);
    if (kind !== 'public' || own.has(address)) throw new RefusedAddress(kind);
  }
  return addresses;
}

function ownAddresses(): Set<string> {
  return new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)));
}

async function dialFirst(
  addresses: string[],
  target: buildConnector.Options,
  { dial, overAt }: { dial: buildConnector.connector; overAt: number },
): Promise<Socket> {
  let last: Error = Object.assign(new Error('The name has no address.'), { code: 'ENOTFOUND' });
  for (const hostname of addresses) {
    try {
      return await dialOne({ ...target, hostname }, dial);
    } catch (error) {
      last = error as Error;
    }
    if (performance.now() >= overAt) break; // nobody waits for it any more
  }
  throw last;
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('The name server does not answer.'), { code: 'ETIMEOUT' })),
      ms,
    );
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** `host` and `servername` still carry the name, so the certificate is checked against the name. */
function dialOne(target: buildConnector.Options, dial: buildConnector.connector): Promise<Socket> {
  return new Promise((resolve, reject) => {
    dial(target, (error, socket) => (error ? reject(error) : resolve(socket as Socket)));
  });
}

/**
 * Which URLs may be registered as a webhook. Only the text is judged here, when it is registered and again before each
 * delivery; where its name leads is judged when it is dialled (see vetted-connector.ts).
 */
import { isIP } from 'node:net';
import { addressClass } from './address-class';

const MAX_LENGTH = 2_048;
/** A URL parser drops or rewrites these, so what a person reads would not be where the delivery goes. */
const MISLEADING = /[\s\\\u0000-\u001f\u007f]/;
/** A URL parser takes others too, and where a host stands in a policy for browsers they mean more: `*`, `;`, `,`. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;
const PRODUCTION_PORTS = ['', '443', '8443'];
const HOUSE_NAME = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/** null when the URL is fine, else what is wrong with it, as the end of a sentence that begins with its field. */
export function checkWebhookUrl(text: string, production: boolean): string | null {
  if (text.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  if (MISLEADING.test(text)) return 'must not hold spaces, control characters or backslashes';
  const url = parsed(text);
  if (!url) return 'must be an absolute URL, such as https://example.com/hooks';
  if (url.username || url.password) return 'must not hold a user name or password';
  if (text.includes('#')) return 'must not hold a fragment';
  if (url.hostname && !HOST.test(url.hostname)) return 'must name a host by letters, digits and hyphens';
  if (bareHost(url.hostname).endsWith('.')) return 'must not end its host with a dot';
  return production ? publicComplaint(url) : protocolComplaint(url, ['https:', 'http:']);
}

/** Not by URL.canParse: once it is called often, Node 20 takes letters such as ü for broken text. */
function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The host without the brackets that a URL puts around an IPv6 address. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

function publicComplaint(url: URL): string | null {
  const host = bareHost(url.hostname);
  const wrongProtocol = protocolComplaint(url, ['https:']);
  if (wrongProtocol) return wrongProtocol;
  if (!PRODUCTION_PORTS.includes(url.port)) return 'must use port 443 or 8443';
  const isPublic = isIP(host) ? addressClass(host) === 'public' : host.includes('.') && !HOUSE_NAME.test(host);
  return isPublic ? null : 'must lead to a host on the public internet';
}

function protocolComplaint(url: URL, allowed: string[]): string | null {
  return allowed.includes(url.protocol) ? null : `must begin with ${allowed.map((name) => `${name}//`).join(' or ')}`;
}

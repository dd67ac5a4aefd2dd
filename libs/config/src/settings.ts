/**
 * Every setting the service reads, once, with what it means. docs/configuration.md is printed from this table.
 * Each rail declares its own in its definition.
 */
import { isMadeUpKey, isMadeUpToken } from './made-up';

export interface Setting {
  default: string | null;
  requiredInProduction?: true;
  /** The stricter rule for a value in production. */
  inProduction?: { shape: string; accepts: (value: string) => boolean };
  secret?: true;
  /** The form a value must have, as a sentence that ends an error message, and the test for it. */
  shape: string;
  accepts: (value: string) => boolean;
  meaning: string;
}

const integer = (min: number, max: number): Pick<Setting, 'shape' | 'accepts'> => ({
  shape: `must be a whole number from ${min} to ${max}`,
  accepts: (value) => /^[0-9]{1,12}$/.test(value) && Number(value) >= min && Number(value) <= max,
});
const oneOf = (...words: string[]): Pick<Setting, 'shape' | 'accepts'> => ({
  shape: `must be one of ${words.join(', ')}`,
  accepts: (value) => words.includes(value),
});
/** Not by URL.canParse: once it is called often, Node 20 takes letters such as ü for broken text. */
function protocolOf(text: string): string {
  try {
    const { protocol, username, password, pathname } = new URL(text);
    // Drivers read them, and say of `%zz` that some address is malformed.
    decodeURIComponent(`${username} ${password} ${pathname}`);
    return protocol;
  } catch {
    return '';
  }
}
/** Links to money are made from it, and go out in mails. On a machine of one's own production can be tried without https. */
function isPublicAddress(text: string): boolean {
  const { protocol, hostname, username, password } = new URL(text);
  // A number by now if it was one in whichever way; 127.example.com is a name, and anybody's.
  const isHere = /^(?:.+\.)?localhost\.?$|^127\.\d+\.\d+\.\d+$|^\[::1\]$/.test(hostname);
  // A URL drops blanks around it. A link goes on behind them.
  const isClean = username === '' && password === '' && HOST.test(hostname) && !/[?#\\\s]/.test(text);
  return isClean && (protocol === 'https:' || isHere);
}
/** A URL takes others too, which no name server knows. */
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;
/** Forms and links of our pages begin at the root of their host. */
function isOfOneHost(text: string): boolean {
  return url('http:', 'https:').accepts(text) && new URL(text).pathname === '/';
}
/** To the letter: what is put in front of a path, or given to a driver, is the text, and not what a URL makes of it. */
const isOfProtocol = (text: string, protocol: string): boolean =>
  text.toLowerCase().startsWith(`${protocol}//`) && protocolOf(text) === protocol;
const url = (...protocols: string[]): Pick<Setting, 'shape' | 'accepts'> => ({
  shape: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, a % in it written %25`,
  accepts: (value) => protocols.some((protocol) => isOfProtocol(value, protocol)),
});
const text = (shape = 'must not be empty'): Pick<Setting, 'shape' | 'accepts'> => ({
  shape,
  accepts: (value) => value.length > 0,
});

const MAIL_NAME = '[^\\s<>@"\\p{Cc}][^<>@"\\p{Cc}]{0,99}';
const MAIL_ADDRESS = '[^\\s<>@"(),:;\\\\[\\]\\p{Cc}]+@[^\\s<>@"(),:;\\\\[\\]\\p{Cc}]+';
const MAIL_FROM = new RegExp(`^(?:(?:"${MAIL_NAME}"|${MAIL_NAME}) <${MAIL_ADDRESS}>|${MAIL_ADDRESS})$`, 'u');
const MASTER_KEYS = /^[0-9a-fA-F]{64}(,[0-9a-fA-F]{64})*$/;

export const SETTINGS = {
  NODE_ENV: {
    default: 'development',
    ...oneOf('development', 'test', 'production'),
    meaning: 'In production nothing is made up: keys must be given, and webhooks go to public https addresses only.',
  },
  PORT: { default: '3000', ...integer(1, 65_535), meaning: 'The port of the HTTP API.' },
  HOST: { default: '127.0.0.1', ...text(), meaning: 'The address to listen on; 0.0.0.0 for every interface.' },
  WORKER_PORT: {
    default: null,
    ...integer(1, 65_535),
    meaning: 'Where a process with ROLE=worker answers /health and /metrics. Unset: nowhere.',
  },
  PROXY_HOPS: {
    default: '0',
    ...integer(0, 10),
    meaning: 'Proxies in front whose X-Forwarded-For is believed, so that failures count by caller, not by proxy.',
  },
  MAX_CONNECTIONS: {
    default: '4000',
    ...integer(10, 100_000),
    meaning:
      'Open connections at each port of one process, a quarter of them for one caller. Past it those who have most make room, and first those who showed no key.',
  },
  MAX_CONNECTIONS_PER_ADDRESS: {
    default: '1000',
    ...integer(5, 100_000),
    meaning: 'Of these, those of one address that showed no key. Not counted if PROXY_HOPS is above 0.',
  },
  BODY_MEMORY_MIB: {
    default: '64',
    ...integer(8, 4_096),
    meaning:
      'Memory for the bodies of requests under way in one process, a quarter of it for one caller. Past it: 503, and try again. As much again is for answers that are not taken yet: past it whoever has most of them is cut off.',
  },
  METRICS_PORT: {
    default: null,
    ...integer(1, 65_535),
    meaning:
      'Where /metrics and /health are answered, in any role. In production /metrics is not on PORT. Unset: on WORKER_PORT only, in development on PORT too.',
  },
  OPERATOR_PORT: {
    default: null,
    ...integer(1, 65_535),
    meaning:
      'Where /operator/v1 is answered instead of on PORT, so that it can be kept from the outside. Unset: on PORT.',
  },
  PUBLIC_URL: {
    default: null,
    requiredInProduction: true,
    shape:
      'must be a URL that begins with http:// or https:// and has no path: pages link to their own root, so give the service a host name of its own',
    accepts: isOfOneHost,
    inProduction: {
      shape:
        'must be an https:// address in production (http:// only on this machine), of a host name, without a user, a query, a fragment, a blank or a backslash',
      accepts: isPublicAddress,
    },
    meaning:
      'How the outside reaches the service; every link is made from it. Development: http://localhost:PORT if it is unset.',
  },
  DATA_DIR: {
    default: '.data',
    ...text(),
    meaning: 'Where the embedded database, mail and development keys are kept.',
  },
  DATABASE_URL: {
    default: null,
    secret: true,
    ...url('postgres:', 'postgresql:'),
    meaning:
      'PostgreSQL 15 or newer. Unset: an embedded PostgreSQL with its data under DATA_DIR, in production only with EMBEDDED_DATABASE. ' +
      'Sessions keep our own application_name, whatever the URL says.',
  },
  DATABASE_FAILOVER: {
    default: 'may_lose',
    ...oneOf('may_lose', 'loses_nothing'),
    meaning:
      'Whether a standby that is promoted may lack what was committed: then owed rows wait after it until each rail was compared with. ' +
      'loses_nothing only if every commit waits for the standby that is promoted.',
  },
  EMBEDDED_DATABASE: {
    default: 'false',
    ...oneOf('true', 'false'),
    meaning: 'In production: that it is meant to run on the embedded PostgreSQL, if DATABASE_URL is unset.',
  },
  // With fewer, one client whose rows are held, and the renewal of its leases, would leave none to others.
  DATABASE_POOL: { default: '12', ...integer(4, 200), meaning: 'Database connections of one process.' },
  REDIS_URL: {
    default: null,
    secret: true,
    ...url('redis:', 'rediss:'),
    meaning:
      'Redis for Bull. Each deployment needs a Redis database of its own, named by its number: redis://host:6379/1. ' +
      'Unset: the embedded queue on PostgreSQL.',
  },
  ROLE: {
    default: 'all',
    ...oneOf('all', 'api', 'worker'),
    meaning: 'What this process does: serve the API, work the queues, or both.',
  },
  STOP_GRACE_SECONDS: {
    default: '25',
    ...integer(1, 600),
    meaning:
      'How long a process that is asked to stop may take to finish what is under way, before it is ended. Keep what kills it (a container runtime) waiting longer.',
  },
  OPERATOR_TOKEN: {
    default: null,
    requiredInProduction: true,
    secret: true,
    ...text(),
    inProduction: {
      shape: 'must be 32 characters or more, made at random, of ASCII without spaces; `openssl rand -hex 32` makes one',
      accepts: (value) => /^[!-~]{32,500}$/.test(value) && !isMadeUpToken(value),
    },
    meaning: 'The token of the first operator, an admin. Development: made once and kept under DATA_DIR.',
  },
  MASTER_KEY: {
    default: null,
    requiredInProduction: true,
    secret: true,
    shape: 'must be 64 hex digits, or several such keys with commas between, the one to seal with first',
    accepts: (value) => MASTER_KEYS.test(value),
    inProduction: {
      shape: 'must be made at random; `openssl rand -hex 32` makes one',
      accepts: (value) => !value.toLowerCase().split(',').some(isMadeUpKey),
    },
    meaning:
      'Seals secrets at rest. Several keys, newest first, while rotating. Development: made and kept under DATA_DIR.',
  },
  DEPLOYMENT: {
    default: 'gateway',
    // Providers keep it beside each payment, and cut what is longer.
    shape: 'must be a line of 1 to 100 characters, with no blank at either end',
    accepts: (value) => /^[^\s\p{Cc}](?:\P{Cc}{0,98}[^\s\p{Cc}])?$/u.test(value),
    meaning:
      'Goes into every idempotency code at the rails. The database keeps it: once there is a payout, no process starts under another.',
  },
  SMTP_URL: {
    default: null,
    secret: true,
    shape: 'must be a URL that begins with smtp:// or smtps:// and names the server, a % in it written %25',
    accepts: (value) => ['smtp:', 'smtps:'].includes(protocolOf(value)) && new URL(value).hostname !== '',
    meaning:
      'The mail server, with user and password, which in production go to it encrypted only (?requireTLS=false: also if it does not encrypt). Unset: mails are kept, and readable at /dev/mailbox in development.',
  },
  MAIL_FROM: {
    default: 'Payouts <payouts@localhost>',
    shape: 'must be an address, or a name and an address in angle brackets',
    accepts: (value) => MAIL_FROM.test(value),
    meaning: 'Whom mails come from.',
  },
  MAILS_PER_ADDRESS: {
    default: '20',
    ...integer(1, 100_000),
    meaning: 'Mails to one address in 24 hours, half of them from one client and a quarter of them in one hour.',
  },
  MAILS_PER_CLIENT: {
    default: '50000',
    ...integer(1, 100_000_000),
    meaning:
      'Mails that one client may cause in 24 hours. Warnings of changed details are limited by their address alone.',
  },
  EVENTS_KEPT_DAYS: {
    default: '90',
    ...integer(0, 36_500),
    meaning:
      'For how many days events that were delivered or given up are kept, with their attempts: until then they can be replayed. 0: for ever.',
  },
  MAILS_KEPT_DAYS: {
    default: '365',
    ...integer(0, 36_500),
    meaning: 'For how many days mails to payees are kept after they were made. 0: for ever.',
  },
  NOTICES_KEPT_DAYS: {
    default: '30',
    ...integer(7, 36_500),
    meaning:
      'For how many days it is known which notices of providers came: one that comes again later is looked into as a new one.',
  },
  RATE_LIMIT_PER_MINUTE: { default: '600', ...integer(1, 10_000_000), meaning: 'Requests a client may make a minute.' },
  AUTH_FAILURES_PER_MINUTE: {
    default: '600',
    ...integer(1, 10_000_000),
    meaning:
      'Failed authentications of one address a minute that are told why; further ones get 429. Whoever has a key is served all the same.',
  },
  LOG_LEVEL: {
    default: 'info',
    ...oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    meaning: 'How much is logged.',
  },
  SINGLE_CAP_CENTS: {
    default: '1000000',
    ...integer(1, 100_000_000_000),
    meaning: 'Cap of a single payout, minor units.',
  },
  DAILY_CAP_CENTS: {
    default: '2500000',
    ...integer(1, 100_000_000_000),
    meaning: 'Cap of what one payee gets in one currency on one UTC day, minor units.',
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = Record<SettingName, string | null>;

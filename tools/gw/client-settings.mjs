// The flags that set up a client, and the body they make. Caps, floors and the withdraw policy are sent whole, so what is
// not mentioned is taken over from what the client has.
import { list, listOr, pairs, text, textOr, whole, wholeOrDefault, wholePair, yes } from './flags.mjs';
import { scopesIn } from './scopes.mjs';
import { UsageError } from './usage-error.mjs';

const CENTS = 'cents|default';
const SOURCES = ['withdraw', 'portal'];

export const CLIENT_FLAGS = {
  name: text('text', 'what people call it'),
  status: text('word', 'active, suspended or closed'),
  'status-version': whole('1|2', 'the status words it reads'),
  scopes: {
    value: 'a,b|default|all',
    about: 'the whole list of what it may do; default: all but webhooks:write and keys:write; all: these two as well',
    read: scopesIn,
  },
  'webhook-url': textOr('none', 'url|none', 'where its events go'),
  events: list('a,b', 'the events it is sent: payee.updated, payout.status; when it is made: both'),
  rails: listOr('all', 'a,b|all', 'the rails it may pay over'),
  currency: text('code', 'its default currency, ISO 4217, such as USD'),
  prepaid: yes('pays from a wallet; --no-prepaid ends that'),
  'require-v2': yes('refuse signatures of version 1; --no-require-v2 ends that'),
  'rate-limit': wholeOrDefault('n|default', 'requests a minute; default: RATE_LIMIT_PER_MINUTE'),
  'cool-down': wholeOrDefault('seconds|default', 'how long the cool-down is; default: a day, none in test mode'),
  locale: textOr('none', 'tag|none', 'the language of payees who do not say theirs, such as en or pt-BR'),
  brand: pairs(
    'key=value',
    'how payees see it: name, logo, color or supportEmail; an empty value clears one; may be repeated',
    (given) => given || null,
  ),
  'auto-release': listOr('none', 'a,b|none', 'reasons whose payouts go on by themselves once the cause is gone'),
  mail: pairs(
    'key=value',
    'mails to its payees: payoutReturned or payoutNeedsYou, true or false; may be repeated',
    trueOrFalse,
  ),
  'checks-payees': yes('have payees checked before money in a wallet of theirs goes on; --no-checks-payees ends that'),
  'single-cap': wholeOrDefault(CENTS, 'cap of one payout, in minor units; default: SINGLE_CAP_CENTS'),
  'daily-cap': wholeOrDefault(CENTS, 'cap of a payee and day, in minor units; default: DAILY_CAP_CENTS'),
  floor: pairs(`rail=${CENTS}`, 'least amount over a rail, in minor units; may be repeated', wholePair),
  'withdraw-policy': pairs(
    'key=value',
    'enabled (true, false), minCents, maxCents or minIntervalSeconds, for one source as withdraw.enabled or portal.enabled; the value default clears one; may be repeated',
    policyValue,
  ),
};

/** Fixed when the client is made. */
export const ID_FLAG = {
  id: text('client', 'the id it had before a restore, so that what it sends again is paid once'),
};

export const TEST_FLAG = { test: yes('in test mode: pays over the mock rail, no money moves; fixed for ever') };

const FIELDS = {
  name: 'name',
  test: 'testMode',
  id: 'id',
  status: 'status',
  'status-version': 'statusVersion',
  scopes: 'scopes',
  'webhook-url': 'webhookUrl',
  events: 'eventTypes',
  rails: 'railAllowList',
  currency: 'defaultCurrency',
  prepaid: 'prepaid',
  'require-v2': 'requireSignatureV2',
  'rate-limit': 'rateLimitPerMinute',
  'cool-down': 'coolDownSeconds',
  locale: 'locale',
  'auto-release': 'autoRelease',
  'checks-payees': 'checksPayees',
};

/** `before` is asked for only if something of it has to be kept. */
export async function clientBody(flags, before) {
  const plain = Object.entries(FIELDS).map(([flag, field]) => [field, flags[flag]]);
  const body = Object.fromEntries(plain.filter(([, value]) => value !== undefined));
  // None is an empty list, and no default.
  if (body.autoRelease === null) body.autoRelease = [];
  const whole = wholeObjects(flags);
  if (whole.length === 0) return body;
  const { caps, floors, brand, mails, withdrawPolicy } = await before();
  const kept = { caps, floors, brand, mails, withdrawPolicy };
  for (const [field, change] of whole) body[field] = change(kept[field] ?? {});
  return body;
}

function wholeObjects(flags) {
  const caps = [
    ['singleCents', flags['single-cap']],
    ['dailyCents', flags['daily-cap']],
  ].filter(([, value]) => value !== undefined);
  return [
    caps.length > 0 && ['caps', (before) => merged(before, caps)],
    flags.floor && ['floors', (before) => merged(before, flags.floor)],
    flags.brand && ['brand', (before) => merged(before, flags.brand)],
    flags.mail && ['mails', (before) => merged(before, flags.mail)],
    flags['withdraw-policy'] && ['withdrawPolicy', (before) => mergedPolicy(before, flags['withdraw-policy'])],
  ].filter(Boolean);
}

/** null takes a value away: the default counts again. */
function merged(before, changes) {
  const after = { ...before, ...Object.fromEntries(changes) };
  return Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null));
}

function mergedPolicy({ perSource = {}, ...before }, changes) {
  const of = (source) =>
    changes
      .filter(([key]) => key.startsWith(`${source}.`))
      .map(([key, value]) => [key.slice(source.length + 1), value]);
  const general = changes.filter(([key]) => !SOURCES.some((source) => key.startsWith(`${source}.`)));
  const bySource = SOURCES.map((source) => [source, merged(perSource[source] ?? {}, of(source))]);
  const kept = bySource.filter(([, policy]) => Object.keys(policy).length > 0);
  return { ...merged(before, general), ...(kept.length > 0 ? { perSource: Object.fromEntries(kept) } : {}) };
}

function trueOrFalse(given, flag) {
  if (given === 'true' || given === 'false') return given === 'true';
  throw new UsageError(`--${flag} takes true or false after the =, not '${given}'.`);
}

function policyValue(given, flag) {
  if (given === 'true' || given === 'false') return given === 'true';
  if (given === 'default' || /^\d{1,15}$/.test(given)) return wholePair(given, flag);
  throw new UsageError(`--${flag} takes true, false, a whole number or default after the =, not '${given}'.`);
}

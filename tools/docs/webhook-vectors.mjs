// docs/webhooks/vectors.json: deliveries with what a verifier has to say of each, signed by the code that signs them all.
import { lib } from './compiled.mjs';

const NOW = 1_772_445_600;
const AT = String(NOW);

// Plainly made up, and as long as real ones.
const secretOf = (words) => `whsec_${Buffer.from(words.padEnd(32, '.')).toString('base64')}`;
const CURRENT = secretOf('the secret of the test vectors');
const NEXT = secretOf('the one that replaces it');
const STRANGERS = secretOf('the one of somebody else');

// Spelled as no JSON library would: whoever parses and prints it again has other bytes.
const BODY = Buffer.from('{"type":"payout.status", "eventId":"3f6f","sequence":1,"ref":"Gr\\u00f6\\u00dfe","a":1.0}');
const ACCENTS = Buffer.from('{"type":"payee.updated","eventId":"9a1c","externalId":"Zoë 🦊 größer"}');
const NOT_UTF8 = Buffer.from('{"type":"payout.status","eventId":"77b2","ref":"\xff\xfe\xe9"}', 'latin1');

export function vectorsPage() {
  const vectors = [...genuine(), ...bodies(), ...secrets(), ...clocks(), ...timestamps(), ...signatures()];
  return JSON.stringify({
    about:
      'Printed from tools/docs/webhook-vectors.mjs by `npm run docs`. A header has a list of values: all that came.',
    vectors,
  });
}

function genuine() {
  const shouted = Object.fromEntries(Object.entries(whole()).map(([name, value]) => [name.toUpperCase(), value]));
  const hex = own()['x-gw-signature'][0].toUpperCase();
  return [
    accepted('a delivery as the gateway sends it', 'Signed just now with the only secret.', whole()),
    accepted('names of headers in capitals', 'They mean the same in any case.', shouted),
    accepted('hex in capitals', 'It means the same bytes.', { ...own(), 'x-gw-signature': [hex] }),
  ];
}

function bodies() {
  const refuse = (name, why, body, signed = BODY) => refused(name, why, whole({ body: signed }), { body });
  const reprinted = Buffer.from(JSON.stringify(JSON.parse(BODY)));
  const decoded = Buffer.from(NOT_UTF8.toString('utf8'));
  const withNewline = Buffer.concat([BODY, Buffer.from('\r\n')]);
  return [
    accepted('letters beyond ASCII', 'The bytes are signed, whatever they spell.', whole({ body: ACCENTS }), {
      body: ACCENTS,
    }),
    accepted('a line end after the body', 'It was signed too.', whole({ body: withNewline }), { body: withNewline }),
    accepted('bytes that are not UTF-8', 'Nothing may decode the body first.', own({ body: NOT_UTF8 }), {
      body: NOT_UTF8,
    }),
    refused('bytes decoded as UTF-8', 'What is no UTF-8 became U+FFFD.', own({ body: NOT_UTF8 }), { body: decoded }),
    refuse('one digit of the body changed', 'Not what was signed.', Buffer.from(String(BODY).replace(':1,', ':2,'))),
    refuse('a body parsed and printed again', 'The same JSON, other bytes.', reprinted),
    refuse('a line end that was not signed', 'The bytes differ in their last two.', withNewline),
    refuse('a line end that was cut off', 'The bytes differ in their last two.', BODY, withNewline),
    refuse('no body', 'A body was signed.', Buffer.alloc(0)),
  ];
}

function secrets() {
  const bare = CURRENT.slice('whsec_'.length);
  const decoded = Buffer.from(bare, 'base64');
  const both = [CURRENT, NEXT];
  return [
    accepted('in a rotation, signed with the new secret', 'Both may be in use.', whole({ secret: NEXT }), {
      secrets: both,
    }),
    accepted('in a rotation, signed with the old secret', 'Both may be in use.', whole(), { secrets: both }),
    accepted('an empty secret beside the right one', 'The empty one counts for nothing.', own(), {
      secrets: ['', CURRENT],
    }),
    refused('the secret of somebody else', 'Signed with another.', whole({ secret: STRANGERS })),
    refused('neither secret of a rotation', 'Signed with a third.', whole({ secret: STRANGERS }), { secrets: both }),
    refused('no secret', 'Nothing can be told without one.', whole(), { secrets: [] }),
    refused('an empty secret', 'Anybody can sign with it.', own({ secret: '' }), { secrets: [''] }),
    refused('a secret without its whsec_', 'The key is the secret as it was given.', own({ secret: bare })),
    refused('a secret that was decoded', 'Only webhook-signature has its key that way.', own({ secret: decoded })),
  ];
}

function clocks() {
  const sentAt = (seconds) => whole({ timestamp: String(NOW + seconds) });
  return [
    accepted('sent 300 seconds ago', 'The last second in which it is good.', sentAt(-300)),
    accepted('sent 300 seconds from now', 'The clocks may differ by that much.', sentAt(300)),
    refused('sent 301 seconds ago', 'Too old, though signed.', sentAt(-301)),
    refused('sent 301 seconds from now', 'Too new, though signed.', sentAt(301)),
    refused('a timestamp made younger', 'It is signed together with the body.', {
      ...own({ timestamp: String(NOW - 600) }),
      'x-gw-timestamp': [AT],
    }),
  ];
}

/** All but the first two are signed as they stand, so that only their form can be the reason. */
function timestamps() {
  const refuse = (name, timestamp) => refused(name, 'A timestamp is ten ASCII digits.', own({ timestamp }));
  return [
    refused('no timestamp', 'Nothing says when it was sent.', { 'x-gw-signature': own()['x-gw-signature'] }),
    refused('two timestamps', 'Nobody knows which was signed.', { ...own(), 'x-gw-timestamp': [AT, AT] }),
    refuse('an empty timestamp', ''),
    refuse('a timestamp that is a word', 'yesterday'),
    refuse('a timestamp that is NaN', 'NaN'),
    refuse('a timestamp in milliseconds', `${AT}000`),
    refuse('a timestamp with a fraction', `${AT}.5`),
    refuse('a timestamp with a sign', `+${AT}`),
    refuse('a timestamp with a leading zero', `0${AT}`),
    refuse('a timestamp in hex', `0x${NOW.toString(16)}`),
    refuse('a timestamp with an exponent', `${NOW / 100}e2`),
    refuse('a timestamp too large for an integer', '9'.repeat(20)),
    refuse('a timestamp with a space before it', ` ${AT}`),
    refuse('a timestamp with a line end after it', `${AT}\n`),
    refuse(
      'a timestamp in digits of another script',
      AT.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + +digit)),
    ),
    refuse('two timestamps in one header', `${AT}, ${AT}`),
  ];
}

function signatures() {
  const [hex] = own()['x-gw-signature'];
  const refuse = (name, ...values) =>
    refused(name, 'A signature is 64 hex digits, once.', { ...own(), 'x-gw-signature': values });
  const bodyAlone = lib('domain').signV1(CURRENT, '', BODY).toString('hex');
  return [
    refused('no signature', 'Nothing says who sent it.', { 'x-gw-timestamp': [AT] }),
    refused('no headers', 'Nothing says who sent it, or when.', {}),
    refuse('two signatures', hex, hex),
    refused('two signatures in two spellings', 'It came twice.', { ...own(), 'X-Gw-Signature': [hex] }),
    refuse('two signatures in one header', `${hex}, ${hex}`),
    refuse('an empty signature', ''),
    refuse('a signature cut short', hex.slice(2)),
    refuse('a signature of an odd number of digits', hex.slice(1)),
    refuse('a signature with more digits after it', `${hex}00`),
    refuse('a signature with a line end after it', `${hex}\n`),
    refuse('a signature that is not hex', `${hex.slice(2)}zz`),
    refuse('a signature with a space in it', `${hex.slice(0, 30)}  ${hex.slice(32)}`),
    refuse('a signature in base64', Buffer.from(hex, 'hex').toString('base64')),
    refuse('a signature that names its algorithm', `sha256=${hex}`),
    refused('a signature with one bit changed', 'Not the one of this body.', {
      ...own(),
      'x-gw-signature': [hex.slice(0, -1) + (parseInt(hex.at(-1), 16) ^ 1).toString(16)],
    }),
    refused('a signature over no timestamp', 'It must cover the timestamp.', {
      ...own(),
      'x-gw-signature': [bodyAlone],
    }),
  ];
}

const accepted = (name, why, headers, others) => vector(true, { name, why, headers, ...others });
const refused = (name, why, headers, others) => vector(false, { name, why, headers, ...others });

function vector(valid, { name, why, headers, body = BODY, secrets = [CURRENT] }) {
  return { name, why, valid, now: NOW, secrets, headers, bodyBase64: body.toString('base64') };
}

/** The gateway's own two headers. */
function own({ secret = CURRENT, timestamp = AT, body = BODY } = {}) {
  const signature = lib('domain').signV1(secret, timestamp, body).toString('hex');
  return { 'x-gw-timestamp': [timestamp], 'x-gw-signature': [signature] };
}

/** Those two and the three of Standard Webhooks. */
function whole({ secret = CURRENT, timestamp = AT, body = BODY } = {}) {
  const { eventId } = JSON.parse(body);
  return {
    ...own({ secret, timestamp, body }),
    'webhook-id': [eventId],
    'webhook-timestamp': [timestamp],
    'webhook-signature': [lib('domain').standardWebhookSignature(secret, eventId, timestamp, body.toString())],
  };
}

/** The reference's own words: what the API is, how requests are signed, and what its parts are called. */
import type { SecuritySchemeObject } from '@nestjs/swagger';

export const CONTRACT_VERSION = '1.2.0';

/** The part that callers do not see in production. */
export const FOR_OPERATORS = `Routes under \`/operator/v1\` take \`Authorization: Bearer <operator token>\` and no signature.

`;

/** In place of the other one, on the page of their own routes. */
export const OPERATORS_DESCRIPTION = `
What operators do with the service: the same as \`gw\` does on the command line. Everything here is an addition to the contract.

Requests take \`Authorization: Bearer <operator token>\` and no signature. \`OPERATOR_TOKEN\` is the first operator; name people with
\`gw operators create\`. What a route needs, \`viewer\`, \`operator\` or \`admin\`, stands with it, and every change is in the audit log.
`.trim();

export const DESCRIPTION = `
Pays people over several rails. You say who is paid and how much; the gateway decides where the money goes.

What this service adds to contract ${CONTRACT_VERSION} is marked \`x-addition: true\`: routes, fields, events and words.

## Signing

Every request under \`/api/v1\` carries three headers:

| Header | Value |
| --- | --- |
| \`Authorization\` | \`Bearer <API_KEY>\` |
| \`x-gw-timestamp\` | Unix time in seconds, at most 300 s away from ours |
| \`x-gw-signature\` | hex HMAC-SHA256 of \`{timestamp}.{rawBody}\`, keyed with the signing secret as it was given to you |

\`rawBody\` is what you send, byte for byte; without a body the signed text ends with the dot. A signature is good for one
POST, PUT, PATCH or DELETE to one path; a GET may be repeated. Sign each try anew.

**Version 2** (an addition) also covers where a request goes. Send \`x-gw-nonce\` (16 to 128 letters, digits, \`_\` or
\`-\`) and \`x-gw-signature-v2\`, the hex HMAC-SHA256 of these five lines joined by \`\\n\`:

\`\`\`
{timestamp}
{nonce}
{METHOD}
{path with its query, as sent}
{hex SHA-256 of rawBody}
\`\`\`

Where it is sent, version 1 is not looked at, and what is sent of it is used up. Send version 2 alone: version 1 does not
say where a request goes. A client can be set to require it.

On the page at \`/docs\` give the API key alone: the page asks for the signing secret, and signs what it sends with version 2.

${FOR_OPERATORS}## Answers

An error is \`{ "error": code, "message"?, "details"? }\`. Branch on \`error\` only. An unknown path answers
\`not_found\`, another method on a known path \`method_not_allowed\` with the \`allow\` header. Every answer carries
\`x-request-id\`; one that you send is kept.

A body has at most 1 MiB, 32 levels, 1,000 members in an object, 10,000 items in a list and 65,536 values in all. Of what
is wrong with it \`details.fields\` names the first twenty.

Money is integer minor units. Times are ISO 8601 in UTC. Lists are newest first.

## Test mode

A client in test mode pays over the \`mock\` rail, which moves no money. The \`reason\` of a payout may direct it:
\`mock:fail_transient\`, \`mock:fail_permanent\`, \`mock:insufficient_funds\`, \`mock:timeout\`, \`mock:pending\`,
\`mock:return\`, \`mock:fail_once\`, \`mock:slow\`, \`mock:bounce_later\`, \`mock:claim\`, \`mock:swap\`, \`mock:swap_refused\`,
\`mock:swap_timeout\`, \`mock:two_legs\`, \`mock:leg_timeout\`, \`mock:leg_refused\` or \`mock:hold_\` and a reason for which payouts are held. Another word after \`mock:\` is refused; any other reason settles.

\`POST /api/v1/test/clock\` lets time pass for such a client: days turn, cool-downs end, claims expire, and what is due begins.
`.trim();

/** In the order in which they are shown. A tag that a controller uses and that is not here fails a spec. */
export const TAGS: Readonly<Record<string, string>> = {
  Payees: 'Who is paid, over which account, and whether they can be paid now.',
  Wallet: 'What a prepaid client paid in, and what is left of it.',
  Disbursements: 'What is owed to payees, until it is withdrawn.',
  Payouts: 'Payments, each made once per idempotency key, with every step on record.',
  'Your settings':
    'Where you are told, and your keys: with a scope that nobody has by default, and signed with version 2.',
  'Test mode': 'For clients in test mode only; to others these routes answer 404.',
  'Operator: clients': 'The callers of the API: their settings, keys and secrets.',
  'Operator: access and audit': 'Who may operate the service, and what they did.',
  'Operator: payouts': 'Stuck payouts of any client, and payees under sanction.',
  'Operator: events': 'What callers were told, and receivers that keep failing.',
  'Operator: wallets': 'Money that prepaid clients paid in.',
  'Operator: rails': 'Routing, the state of the rails, and work to run now.',
  Rails: 'Where providers call us.',
  Events: 'What the service POSTs to the webhook URL of a client.',
};

const header = (name: string, description: string, more: object = {}): SecuritySchemeObject => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
  ...more,
});
const added = { 'x-addition': true };

export const SECURITY_SCHEMES: Record<string, SecuritySchemeObject> = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'The API key of a client. Always together with a signature.' },
  timestamp: header('x-gw-timestamp', 'Unix seconds at which the request was signed.'),
  signature: header('x-gw-signature', 'Version 1: hex HMAC-SHA256 of `{timestamp}.{rawBody}`.'),
  nonce: header('x-gw-nonce', 'Version 2: 16 to 128 letters, digits, `_` or `-`, new for each request.', added),
  signatureV2: header('x-gw-signature-v2', 'Version 2: also covers method, path, query and nonce.', added),
  operator: { type: 'http', scheme: 'bearer', description: 'The token of an operator.' },
};

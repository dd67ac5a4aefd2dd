// libs/sdk/src/api-types.ts: what callers send and read, and every route of theirs with its types.
import { alternatives, callerApi, nameOf } from './caller-api.mjs';

const HEAD = `/* eslint-disable max-lines -- printed */
/**
 * What callers send and read, and their routes. Printed from docs/openapi.json by \`npm run docs\`: change what that is
 * made from, and run it again.
 */`;

export function typescriptTypes(document) {
  const { routes, schemas, events } = callerApi(document);
  return [
    HEAD,
    ...schemas.map(([name, schema]) => interfaceOf(name, schema)),
    ...routes.filter(({ queryName }) => queryName).map(queryOf),
    BESIDE_THE_REFERENCE,
    gatewayEvent([...events, 'PingEvent', 'UnknownEvent']),
    `export type ErrorCode = ErrorBody['error'];`,
    `/** By method and path after /api/v1: what is sent, and what an answer that is a success holds. */`,
    `export interface Routes {\n${routes.map(routeLine).join('\n')}\n}`,
  ].join('\n\n');
}

/** Of no webhook of the reference: what a test sends, and what is not there yet. */
const BESIDE_THE_REFERENCE = `/** What \`webhook.test()\` sends. Acknowledge it and leave it at that. */
export interface PingEvent {
eventId: string;
/** Always 0: a ping is about no payout and no payee. */
sequence: number;
occurredAt: string;
type: 'ping';
}

/** In truth any other word. An enum of its own, and not \`string\`, as TypeScript would narrow nothing by that. */
declare enum TypeToCome {
any = 'of a type to come',
}

/** An event of a type that this version does not know. Acknowledge it and leave it aside. */
export interface UnknownEvent {
eventId: string;
sequence: number;
occurredAt: string;
type: TypeToCome;
}`;

const gatewayEvent = (names) =>
  `/** What a webhook brings. Go by \`type\`, and leave aside what is none of those you handle. */
export type GatewayEvent = ${names.join(' | ')};`;

/** `Error` is a word of the language. */
const inCode = (name) => (name === 'Error' ? 'ErrorBody' : name);

function interfaceOf(name, schema) {
  return `${comment(schema.description)}export interface ${inCode(name)} {\n${members(schema)}\n}`;
}

function queryOf({ queryName, query, name }) {
  const fields = query.map(({ name: field, schema, description }) => ({ field, schema: { ...schema, description } }));
  const lines = fields.map(({ field, schema }) => member(field, schema, false));
  return `/** Of \`${name}\`. */\nexport interface ${queryName} {\n${lines.join('\n')}\n}`;
}

function members({ properties, required = [] }) {
  return Object.entries(properties)
    .map(([field, schema]) => member(field, schema, required.includes(field)))
    .join('\n');
}

function member(field, schema, needed) {
  return `${comment(schema.description)}${field}${needed ? '' : '?'}: ${typeOf(schema)};`;
}

const comment = (text) => (text ? `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n` : '');

function typeOf(schema) {
  return [...new Set(alternatives(schema).map(single))].join(' | ');
}

function single(schema) {
  if (schema.$ref) return inCode(nameOf(schema));
  if (schema.enum) return schema.enum.map((word) => (word === null ? 'null' : JSON.stringify(word))).join(' | ');
  if (schema.type === 'array') return `${bracketed(typeOf(schema.items))}[]`;
  if (schema.type === 'object') return objectType(schema);
  if (['integer', 'number'].includes(schema.type)) return 'number';
  if (['string', 'boolean', 'null'].includes(schema.type)) return schema.type;
  throw new Error(`The clients' types do not know ${JSON.stringify(schema)}.`);
}

const bracketed = (type) => (type.includes(' | ') ? `(${type})` : type);

function objectType({ additionalProperties }) {
  if (typeof additionalProperties === 'object') return `Record<string, ${typeOf(additionalProperties)}>`;
  return 'Record<string, unknown>';
}

function routeLine({ name, body, queryName, answer, summary }) {
  const sent = body ? [`body: ${inCode(body)}`] : [];
  const asked = queryName ? [`query: ${queryName}`] : [];
  return `${comment(summary)}${JSON.stringify(name)}: { ${[...sent, ...asked, `answer: ${typeOf(answer)}`].join('; ')} };`;
}

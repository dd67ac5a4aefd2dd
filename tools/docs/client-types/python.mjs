// clients/python/src/payout_gateway/api_types.py: the same as TypedDicts, for Python 3.9 and newer.
import { alternatives, callerApi, nameOf } from './caller-api.mjs';

const HEAD = `"""What callers send and read, and their routes.

Printed from docs/openapi.json by \`npm run docs\`: change what that is made from, and run it again.
"""

import enum
from typing import Any, Dict, List, Literal, Optional, Protocol, Tuple, TypedDict, Union, overload`;
const WIDTH = 118;

export function pythonTypes(document) {
  const { routes, schemas, events } = callerApi(document);
  const blocks = [
    ...inOrder(schemas).map(([name, schema]) => classesOf(inCode(name), schema, schema.description)),
    ...routes.filter(({ queryName }) => queryName).map(queryOf),
    ...BESIDE_THE_REFERENCE,
    `#: What a webhook brings. Go by \`\`type\`\`, and leave aside what is none of those you handle.
GatewayEvent = Union[${[...events, 'PingEvent', 'UnknownEvent'].join(', ')}]`,
    askOf(routes),
    `#: By method and path after /api/v1.\nROUTES: Tuple[str, ...] = (\n${routes.map(({ name }) => `    "${name}",`).join('\n')}\n)`,
  ];
  return `${[HEAD, ...blocks].join('\n\n\n')}\n`;
}

/** Of no webhook of the reference: what a test sends, and what is not there yet. */
const BESIDE_THE_REFERENCE = [
  `class PingEvent(TypedDict):
    """What \`\`webhook.test()\`\` sends. Acknowledge it and leave it at that."""

    eventId: str
    #: Always 0: a ping is about no payout and no payee.
    sequence: int
    occurredAt: str
    type: Literal["ping"]`,
  `class _TypeToCome(str, enum.Enum):
    """In truth any other word. An enum of its own, and not \`\`str\`\`, as a type checker would narrow nothing by that."""

    ANY = "of a type to come"`,
  `class UnknownEvent(TypedDict):
    """An event of a type that this version does not know. Acknowledge it and leave it aside."""

    eventId: str
    sequence: int
    occurredAt: str
    type: Literal[_TypeToCome.ANY]`,
];

const inCode = (name) => (name === 'Error' ? 'ErrorBody' : name);

/** A name stands before what is made of it: TypedDicts are made when the file is read. */
function inOrder(schemas) {
  const byName = new Map(schemas);
  const placed = new Map();
  const place = ([name, schema]) => {
    if (placed.has(name)) return;
    for (const needed of namesIn(schema)) if (byName.has(needed)) place([needed, byName.get(needed)]);
    placed.set(name, schema);
  };
  schemas.forEach(place);
  return [...placed];
}

function namesIn(node) {
  if (typeof node !== 'object' || node === null) return [];
  return [nameOf(node), ...Object.values(node).flatMap(namesIn)].filter(Boolean);
}

/** Python 3.9 has no NotRequired: what must be there is a class of its own below the other. */
function classesOf(name, { properties, required = [] }, about) {
  const fields = Object.entries(properties);
  const needed = fields.filter(([field]) => required.includes(field));
  const others = fields.filter(([field]) => !required.includes(field));
  if (others.length === 0) return classOf(name, 'TypedDict', about, needed);
  if (needed.length === 0) return classOf(name, 'TypedDict, total=False', about, others);
  return [classOf(`_${name}`, 'TypedDict', null, needed), classOf(name, `_${name}, total=False`, about, others)].join(
    '\n\n\n',
  );
}

function queryOf({ queryName, query, name }) {
  const fields = query.map(({ name: field, schema, description }) => [field, { ...schema, description }]);
  return classOf(queryName, 'TypedDict, total=False', `Of \`${name}\`.`, fields);
}

/** A type checker then holds what the client says of a route against what the reference says. */
function askOf(routes) {
  const about = '    """Each route with what it is asked with, and what it answers."""';
  return [`class Ask(Protocol):\n${about}`, ...routes.map(overloadOf)].join('\n\n');
}

function overloadOf({ name, body, queryName, answer }) {
  const named = [
    ...(queryName ? [`query: Optional[${queryName}] = ...`] : []),
    ...(body ? [`body: ${inCode(body)}`] : []),
  ];
  const taken = [
    ...['self', `route: Literal["${name}"]`],
    ...(name.includes('{id}') ? ['id: str'] : []),
    ...(named.length > 0 ? ['*', ...named] : []),
  ];
  return `    @overload\n    def __call__(${taken.join(', ')}) -> ${typeOf(answer)}: ...`;
}

function classOf(name, parent, about, fields) {
  const lines = fields.flatMap(([field, schema]) => [
    ...comment(schema.description),
    `    ${field}: ${typeOf(schema)}`,
  ]);
  return [`class ${name}(${parent}):`, ...(about ? [`    """${oneLine(about)}"""`, ''] : []), ...lines].join('\n');
}

const oneLine = (text) =>
  text
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''");

function comment(text) {
  const lines = [];
  for (const word of text ? oneLine(text).split(' ') : []) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`    #${line === undefined ? ':' : ''} ${word}`);
  }
  return lines;
}

function typeOf(schema) {
  const types = [...new Set(alternatives(schema).map(single))];
  const others = types.filter((type) => type !== 'None');
  const [only] = others;
  const either = others.length > 1 ? `Union[${others.join(', ')}]` : only;
  return others.length < types.length ? `Optional[${either}]` : either;
}

function single(schema) {
  if (schema.$ref) return inCode(nameOf(schema));
  if (schema.enum) return `Literal[${schema.enum.map((word) => JSON.stringify(word)).join(', ')}]`;
  if (schema.type === 'array') return `List[${typeOf(schema.items)}]`;
  if (schema.type === 'object') return objectType(schema);
  const plain = { integer: 'int', number: 'float', string: 'str', boolean: 'bool', null: 'None' }[schema.type];
  if (!plain) throw new Error(`The clients' types do not know ${JSON.stringify(schema)}.`);
  return plain;
}

function objectType({ additionalProperties }) {
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'Any';
  return `Dict[str, ${values}]`;
}

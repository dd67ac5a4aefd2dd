// What of the reference is for callers: their routes, the schemas these reach, and the events they are sent.
const PREFIX = '/api/v1';
const NOTHING = 'NoBody';

/** `{ routes, schemas, events }`, in the order of the reference. A route is named as `GET /payees/{id}`. */
export function callerApi(document) {
  const routes = Object.entries(document.paths)
    .filter(([path]) => path.startsWith(`${PREFIX}/`))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => routeOf(method, path.slice(PREFIX.length), operation)),
    );
  const events = Object.values(document.webhooks).map(({ post }) => nameOf(bodyOf(post)));
  return { routes, events, schemas: reached(document, [routes, Object.values(document.webhooks), { $ref: '/Error' }]) };
}

function routeOf(method, path, operation) {
  const body = nameOf(bodyOf(operation));
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const [answer] = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => response.content['application/json'].schema);
  return {
    name: `${method.toUpperCase()} ${path}`,
    summary: operation.summary,
    body: body === NOTHING ? null : body,
    query,
    queryName: query.length > 0 ? queryName(operation.operationId) : null,
    answer,
  };
}

/** `listPayouts` asks with a `ListPayoutsQuery`. */
const queryName = (operationId) => `${operationId[0].toUpperCase()}${operationId.slice(1)}Query`;

const bodyOf = (operation) => operation.requestBody?.content['application/json'].schema ?? null;

export const nameOf = (schema) => schema?.$ref?.split('/').at(-1) ?? null;

/** Schemas by name, those of the reference that are met from `nodes`. */
function reached(document, nodes) {
  const found = namesMetFrom(document, nodes);
  return Object.entries(document.components.schemas)
    .filter(([name]) => found.has(name) && name !== NOTHING)
    .flatMap(([name, schema]) => withNames(name, schema));
}

function namesMetFrom(document, nodes) {
  const names = new Set();
  const walk = (node) => {
    if (typeof node !== 'object' || node === null) return;
    const name = nameOf(node) ?? node.body;
    if (typeof name === 'string' && !names.has(name) && document.components.schemas[name]) {
      names.add(name);
      walk(document.components.schemas[name]);
    }
    Object.values(node).forEach(walk);
  };
  nodes.forEach(walk);
  return names;
}

/** An object inside an object has no name in the reference, and gets one: that of its field behind the outer one. */
function withNames(name, schema) {
  const inner = [];
  const named = (field, node) => {
    if (node.type === 'array') return { ...node, items: named(field, node.items) };
    if (node.type !== 'object' || !node.properties) return node;
    const own = `${name}${field[0].toUpperCase()}${field.slice(1)}`;
    inner.push(...withNames(own, node));
    return { $ref: `/${own}`, description: node.description };
  };
  const properties = Object.entries(schema.properties).map(([field, node]) => [field, named(field, node)]);
  return [...inner, [name, { ...schema, properties: Object.fromEntries(properties) }]];
}

/** A schema's alternatives, whichever way it says them; null as `{ type: 'null' }`. */
export function alternatives(schema) {
  if (schema.allOf) return alternatives(onlyOf(schema.allOf));
  if (schema.anyOf ?? schema.oneOf) return (schema.anyOf ?? schema.oneOf).flatMap(alternatives);
  if (Array.isArray(schema.type)) return schema.type.map((type) => ({ ...schema, type, enum: enumFor(schema, type) }));
  return [schema];
}

function onlyOf(list) {
  if (list.length !== 1) throw new Error(`The clients' types know allOf of one schema only: ${JSON.stringify(list)}`);
  return list[0];
}

function enumFor(schema, type) {
  const words = schema.enum?.filter((word) => (word === null) === (type === 'null'));
  return type === 'null' ? undefined : words;
}

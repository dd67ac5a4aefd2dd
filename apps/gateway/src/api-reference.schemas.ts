/** Makes the schemas say what the service does: names for readers, closed bodies, one Error, and an example of each. */
import type { MediaTypeObject, OpenAPIObject, OperationObject, ResponseObject, SchemaObject } from '@nestjs/swagger';
import { ERROR_STATUS } from '#libs/domain';
import { Examples } from './api-reference.examples';

export type Schemas = Record<string, SchemaObject>;

const ERROR: SchemaObject = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string', enum: Object.keys(ERROR_STATUS), description: 'The only thing to branch on.' },
    message: { type: 'string', description: 'For people; it may change at any time.' },
    details: {
      type: 'object',
      properties: {
        fields: {
          type: 'array',
          description: 'With `invalid_request`: what is wrong where.',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
        indices: { type: 'array', description: 'The rows that collide.', items: { type: 'integer', minimum: 0 } },
      },
    },
  },
};

const REQUEST_ID = {
  description: 'Names the request in our logs.',
  schema: { type: 'string' },
  example: '019aa3c4-6f0e-7c11-9d7e-3f7f0f4f2a10',
};

const RATE_LIMIT = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });

const HEADERS = {
  RequestId: REQUEST_ID,
  RateLimitLimit: RATE_LIMIT('How many there may be: requests in a minute, or what the message counts.'),
  RateLimitRemaining: RATE_LIMIT('How many are left of them.'),
  RateLimitReset: RATE_LIMIT('Seconds until there may be more, at the latest.'),
  RetryAfter: RATE_LIMIT('Seconds after which it is worth trying again.'),
};

export function completeSchemas(document: OpenAPIObject): OpenAPIObject {
  const named = withoutSuffix(document);
  const schemas = { ...named.components?.schemas, Error: ERROR } as Schemas;
  named.components = { ...named.components, schemas, headers: HEADERS };
  const operations = operationsOf(named);
  for (const operation of operations) closeBody(operation, schemas);
  walk(named, correct);
  const examples = new Examples(schemas);
  for (const operation of operations) giveExamples(operation, examples);
  return named;
}

/** Callers read a Payee; that its class is a view is nobody's business but ours. */
function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document).replace(/("#\/components\/schemas\/\w+?)View"/g, '$1"');
  const renamed = JSON.parse(text) as OpenAPIObject;
  const schemas = Object.entries(renamed.components?.schemas ?? {});
  const names = schemas.map(([name, schema]) => [name.replace(/View$/, ''), schema] as const);
  if (new Set(names.map(([name]) => name)).size !== names.length) throw new Error('Two schemas have the same name.');
  renamed.components = { ...renamed.components, schemas: Object.fromEntries(names) };
  return renamed;
}

function operationsOf({ paths, webhooks = {} }: OpenAPIObject): OperationObject[] {
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap(
    (item) => Object.values(item) as OperationObject[],
  );
}

/** Unknown properties are refused, and a body that must hold nothing may be left out. Answers stay open: they may grow. */
function closeBody(operation: OperationObject, schemas: Schemas): void {
  const body = operation.requestBody;
  if (!body || '$ref' in body || operation.tags?.includes('Events')) return;
  const schema = schemas[nameIn(body.content['application/json']?.schema)];
  if (!schema) return;
  schema.additionalProperties = false;
  body.required = (schema.required ?? []).length > 0;
}

function giveExamples(operation: OperationObject, examples: Examples): void {
  const answers = Object.values(operation.responses) as ResponseObject[];
  const body = operation.requestBody as ResponseObject | undefined;
  for (const part of body ? [body, ...answers] : answers) {
    const media: MediaTypeObject | undefined = part.content?.['application/json'];
    if (media?.schema && !media.examples) media.example = examples.of(media.schema);
  }
}

type Node = Record<string, unknown>;

/** Every object of the document that stands for a schema, a parameter or an operation. Examples are data, not these. */
function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) return node.forEach((item) => walk(item, visit));
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) if (!/^(examples?|default|enum)$/.test(key)) walk(value, visit);
  visit(node as Node);
}

function correct(node: Node): void {
  if (node.type === 'number' && Array.isArray(node.enum) && node.enum.every(Number.isInteger)) node.type = 'integer';
  const isSchema = 'type' in node || '$ref' in node || 'oneOf' in node || 'enum' in node;
  if (isSchema && !('in' in node) && 'example' in node) {
    node.examples = [node.example];
    delete node.example;
  }
}

export function nameIn(schema: object | undefined): string {
  return schema && '$ref' in schema ? String(schema.$ref).replace('#/components/schemas/', '') : '';
}

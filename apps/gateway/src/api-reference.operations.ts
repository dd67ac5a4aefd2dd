/** What each operation needs and can answer: read from the routes' decorators and the error table, never listed again. */
import type {
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  ResponseObject,
  SecurityRequirementObject,
} from '@nestjs/swagger';
import { ERROR_STATUS, type ErrorCode } from '#libs/domain';
import type { Access, RouteTable } from '#libs/http-kit';
import { ERROR_ADVICE } from './api-reference.errors';

const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
/** Codes of these, and invalid_request, can be the answer whatever the route; its own refusals it declares itself. */
const EVERYWHERE: readonly number[] = [401, 403, 413, 415, 429, 500, 503];
const OPERATORS_ONLY: readonly ErrorCode[] = ['invalid_operator_token', 'insufficient_role'];

const header = (name: string): ReferenceObject => ({ $ref: `#/components/headers/${name}` });
const REQUEST_ID = { 'x-request-id': header('RequestId') };
/** The extra headers of a refusal, by its status. */
const HEADERS_OF: Readonly<Record<number, Record<string, ReferenceObject>>> = {
  429: {
    'ratelimit-limit': header('RateLimitLimit'),
    'ratelimit-remaining': header('RateLimitRemaining'),
    'ratelimit-reset': header('RateLimitReset'),
  },
  503: { 'retry-after': header('RetryAfter') },
};

type Operation = OperationObject & { [extension: `x-${string}`]: unknown };

/** Methods whose name alone does not say what is done to what. */
const OPERATION_IDS: Readonly<Record<string, string>> = {
  'TestPayeesController.finish': 'finishTestOnboarding',
  'TestPayoutsController.bounce': 'returnTestPayout',
  'TestClockController.pass': 'advanceTestClock',
  'OperatorsController.rewrap': 'rewrapSecrets',
  'OperatorsController.auditLog': 'listAuditLog',
};

/** `create` of PayoutsController becomes createPayout; a name that says it all, such as adoptMethod, stays. */
export function operationIdOf(controller: string, method: string): string {
  const given = OPERATION_IDS[`${controller}.${method}`];
  if (given || /[A-Z]/.test(method)) return given ?? method;
  const plural = controller.replace(/Controller$/, '');
  return method + (method === 'list' ? plural : plural.replace(/s$/, ''));
}

export function completeOperations(document: OpenAPIObject, routes: RouteTable): void {
  const shared: Record<string, ResponseObject> = {};
  for (const [path, item] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(item) as [string, Operation][])
      complete(operation, { method, access: accessOf(routes, method, path), shared });
  document.components = { ...document.components, responses: shared };
}

interface Place {
  method: string;
  access: Access;
  /** The refusals of all operations; most are the same everywhere. */
  shared: Record<string, ResponseObject>;
}

function accessOf(routes: RouteTable, method: string, path: string): Access {
  const pattern = path.replace(/\{(\w+)\}/g, ':$1');
  const route = routes.all().find((known) => known.method === method.toUpperCase() && known.path === pattern);
  if (!route?.access) throw new Error(`${method} ${path} is in the reference and not in the table of routes.`);
  return route.access;
}

function complete(operation: Operation, { method, access, shared }: Place): void {
  operation.security = securityOf(access);
  if (access.kind === 'client') operation['x-scope'] = access.scope;
  if (access.kind === 'operator') operation['x-role'] = access.role;
  operation.description = [operation.description, needOf(access)].filter(Boolean).join('\n\n');
  describePathIds(operation);
  const codes = new Set([
    ...declaredCodes(operation),
    ...ERROR_CODES.filter((code) => canAnswer(code, method, access)),
  ]);
  const responses = { ...successes(operation), ...refusals([...codes], shared) };
  // Swagger UI shows them in the order in which they stand.
  operation.responses = Object.fromEntries(Object.entries(responses).sort(([a], [b]) => Number(a) - Number(b)));
}

function securityOf(access: Access): SecurityRequirementObject[] {
  if (access.kind === 'open') return [];
  if (access.kind === 'operator') return [{ operator: [access.role] }];
  const apiKey = [access.scope];
  return [
    { apiKey, timestamp: [], signature: [] },
    { apiKey, timestamp: [], nonce: [], signatureV2: [] },
  ];
}

function needOf(access: Access): string {
  if (access.kind === 'open') return 'Open to everybody.';
  return access.kind === 'client' ? `Needs the scope \`${access.scope}\`.` : `Needs the role \`${access.role}\`.`;
}

function describePathIds(operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    if ('$ref' in parameter || parameter.in !== 'path' || !/id$/i.test(parameter.name)) continue;
    parameter.schema = { type: 'string', format: 'uuid' };
    parameter.description ??= 'What is no id, is not there, or belongs to somebody else answers 404.';
  }
}

function declaredCodes(operation: Operation): ErrorCode[] {
  const texts = Object.values(operation.responses).map((response) => (response as ResponseObject).description);
  const quoted = texts.flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, word]) => word));
  return quoted.filter((word): word is ErrorCode => word !== undefined && word in ERROR_STATUS);
}

function canAnswer(code: ErrorCode, method: string, access: Access): boolean {
  const status = ERROR_STATUS[code];
  if (code === 'invalid_request') return true;
  if (!EVERYWHERE.includes(status)) return false;
  if (method === 'get' && (code === 'replayed_request' || code === 'unsupported_media_type')) return false;
  if (access.kind === 'open') return status >= 500;
  return status > 403 || OPERATORS_ONLY.includes(code) === (access.kind === 'operator');
}

const SUCCESS: Readonly<Record<string, string>> = { 200: 'Done.', 201: 'Made.', 207: 'Row by row, in request order.' };

function successes(operation: Operation): Record<string, ResponseObject> {
  const kept = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  return Object.fromEntries(
    (kept as [string, ResponseObject][]).map(([status, response]) => [
      status,
      { ...response, description: response.description || SUCCESS[status] || 'Done.', headers: REQUEST_ID },
    ]),
  );
}

/** By status, each a reference to what is answered with exactly these codes. */
function refusals(codes: ErrorCode[], shared: Place['shared']): Record<string, ReferenceObject> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, known]) => {
      const name = known.join('-or-');
      shared[name] ??= refusal(known);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function refusal(codes: ErrorCode[]): ResponseObject {
  return {
    description: codes.map((code) => `- \`${code}\`: ${ERROR_ADVICE[code]}`).join('\n'),
    headers: { ...REQUEST_ID, ...HEADERS_OF[ERROR_STATUS[codes[0] as ErrorCode]] },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

const DETAILS: Partial<Record<ErrorCode, object>> = {
  invalid_request: { fields: [{ path: 'items[0].amountCents', message: 'must be an integer' }] },
  duplicate_target: { indices: [0, 3] },
  duplicate_external_ref: { indices: [0, 3] },
};

function exampleOf(code: ErrorCode): object {
  const details = DETAILS[code];
  return { error: code, message: ERROR_ADVICE[code], ...(details ? { details } : {}) };
}

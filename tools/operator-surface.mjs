// The running service as gw and the demo meet it: where it is, who asks, and how it answers.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { env } = process;
export const SERVICE_URL = (env.GATEWAY_URL || env.PUBLIC_URL || `http://localhost:${env.PORT || 3000}`).replace(
  /\/+$/,
  '',
);
/** Which setting that is of: one that is exported hides the others. */
export const SERVICE_FROM = ['GATEWAY_URL', 'PUBLIC_URL', 'PORT'].find((name) => env[name]) ?? 'the default port';
export const WHERE = 'It is looked for at GATEWAY_URL, else PUBLIC_URL, else localhost and PORT.';
export const OPERATORS_PORT = `A service that has an OPERATOR_PORT is asked there: set GATEWAY_URL=http://localhost:${env.OPERATOR_PORT || '<OPERATOR_PORT>'}.`;

export async function ensureUp() {
  const answer = await fetch(`${SERVICE_URL}/health/live`).catch(() => nothingAnswers());
  if (!answer.ok) nothingAnswers();
}

/** Returns the status and the body of any answer of the service's. */
export async function callOperator(method, path, body) {
  const response = await fetch(`${SERVICE_URL}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorToken()}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  }).catch(noOperators);
  const answer = await response.json().catch(noOperators);
  return { status: response.status, body: answer };
}

/** Where callers and payees are served, operators may not be. */
function noOperators() {
  nothingAnswers(SERVICE_FROM === 'PUBLIC_URL' || env.OPERATOR_PORT ? ` ${OPERATORS_PORT}` : '');
}

function nothingAnswers(more = '') {
  const start = 'Start it with `npm start` in another terminal.';
  throw new Error(`No gateway answers at ${SERVICE_URL} (${SERVICE_FROM}). ${start} ${WHERE}${more}`);
}

function operatorToken() {
  if (env.OPERATOR_TOKEN) return env.OPERATOR_TOKEN;
  const file = join(resolve(env.DATA_DIR || '.data'), 'operator.token');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Error(`There is no operator token in ${file}. Set OPERATOR_TOKEN, or DATA_DIR, as for the service.`);
  }
}

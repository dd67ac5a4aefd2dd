// The running service as gw and the demo meet it: where it is, who asks, and how it answers.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { env } = process;
export const SERVICE_URL = (env.GATEWAY_URL || env.PUBLIC_URL || `http://localhost:${env.PORT || 3000}`).replace(
  /\/+$/,
  '',
);
const WHERE = 'It is looked for at GATEWAY_URL, else PUBLIC_URL, else localhost and PORT.';

export async function ensureUp() {
  const answer = await fetch(`${SERVICE_URL}/health/live`).catch(nothingAnswers);
  if (!answer.ok) nothingAnswers();
}

/** Returns the status and the body of any answer of the service's. */
export async function callOperator(method, path, body) {
  const response = await fetch(`${SERVICE_URL}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${operatorToken()}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  }).catch(nothingAnswers);
  const answer = await response.json().catch(() => nothingAnswers());
  return { status: response.status, body: answer };
}

function nothingAnswers() {
  throw new Error(`No gateway answers at ${SERVICE_URL}. Start it with \`npm start\` in another terminal. ${WHERE}`);
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

// The running service as the demo meets it: where it is, whether it is up, and its operator surface.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { env } = process;
export const SERVICE_URL = (env.PUBLIC_URL || `http://localhost:${env.PORT || 3000}`).replace(/\/+$/, '');
const ANSWER_MS = 5_000;

export async function ensureUp() {
  const answer = await fetch(`${SERVICE_URL}/health/live`, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
    () => null,
  );
  if (answer?.ok) return;
  throw new Error(
    `No gateway answers at ${SERVICE_URL}. Start it with \`npm start\` in another terminal, or set PUBLIC_URL.`,
  );
}

/** A client that can do everything, in test mode: no real money, no real identity checks. */
export async function newTestClient(settings) {
  const answer = await fetch(`${SERVICE_URL}/operator/v1/clients`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...settings, testMode: true }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const body = await answer.json();
  if (answer.status === 201) return body;
  throw new Error(`The operator surface answered ${answer.status}. ${adviceFor(answer.status, body)}`);
}

function adviceFor(status, { error, message, details }) {
  if (status === 401) return 'Set OPERATOR_TOKEN, or DATA_DIR, to what the service was started with.';
  const [field] = details?.fields ?? [];
  if (field?.path === 'webhookUrl')
    return 'The demo needs a service in development: in production webhooks leave the machine.';
  return [error, message].filter(Boolean).join(': ');
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

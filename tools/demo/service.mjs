// What the demo needs an operator for: a client to begin with.
import { callOperator } from '../operator-surface.mjs';

/** A client that can do everything, in test mode: no real money, no real identity checks. */
export async function newTestClient(settings) {
  const { status, body } = await callOperator('POST', '/clients', { ...settings, testMode: true });
  if (status === 201) return body;
  throw new Error(`The operator surface answered ${status}. ${adviceFor(status, body)}`);
}

function adviceFor(status, { error, message, details }) {
  if (status === 401) return 'Set OPERATOR_TOKEN, or DATA_DIR, to what the service was started with.';
  const [field] = details?.fields ?? [];
  if (field?.path === 'webhookUrl')
    return 'The demo needs a service in development: in production webhooks leave the machine.';
  return [error, message].filter(Boolean).join(': ');
}

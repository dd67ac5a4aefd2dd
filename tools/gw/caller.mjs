// A client's side of the service, for the commands of its developers: signed with its own key and secret.
import { ensureBuilt } from '../build.mjs';
import { ensureInstalled } from '../install.mjs';
import { ensureUp, SERVICE_URL } from '../operator-surface.mjs';
import { UsageError } from './usage-error.mjs';

export const CALLER_FLAGS = {
  key: { value: 'key', about: "the client's API key; default GATEWAY_KEY", read: (given) => given },
  secret: { value: 'secret', about: 'its signing secret; default GATEWAY_SECRET', read: (given) => given },
};

/** What is compiled is loaded when it is asked for: other commands need nothing of it. */
export async function callerOf(flags) {
  const { GATEWAY_KEY, GATEWAY_SECRET } = process.env;
  const { key: apiKey = GATEWAY_KEY, secret: signingSecret = GATEWAY_SECRET } = flags;
  if (!apiKey || !signingSecret)
    throw new UsageError('Give --key and --secret of a test-mode client, or set GATEWAY_KEY and GATEWAY_SECRET.');
  await ensureUp();
  ensureInstalled();
  ensureBuilt();
  const { lib } = await import('../docs/compiled.mjs');
  const { GatewayClient } = lib('sdk');
  const client = new GatewayClient({ baseUrl: SERVICE_URL, apiKey, signingSecret });
  return { client, apiKey, signingSecret, domain: lib('domain') };
}

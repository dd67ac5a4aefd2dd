// The caller's side of webhooks: a server that keeps what it is sent, and the check of both signatures.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

export async function startCatcher() {
  const deliveries = [];
  const watchers = new Set();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(204).end();
    deliveries.push({ headers: request.headers, rawBody: Buffer.concat(chunks), at: performance.now() });
    for (const look of watchers) look();
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${server.address().port}/hooks`,
    deliveries,
    until: (enough, limitMs) => until(enough, limitMs, watchers),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns whether it came to that in time. */
function until(enough, limitMs, watchers) {
  return new Promise((resolve) => {
    const end = (answer) => {
      clearTimeout(timer);
      watchers.delete(look);
      resolve(answer);
    };
    const look = () => enough() && end(true);
    const timer = setTimeout(() => end(false), limitMs);
    watchers.add(look);
    look();
  });
}

/** The Standard Webhooks signature by hand, as any off-the-shelf verifier checks it. */
export function verifyStandardWebhook(rawBody, headers, secret) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${rawBody}`;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const given = Buffer.from(String(headers['webhook-signature']));
  if (expected.length !== given.length || !timingSafeEqual(expected, given))
    throw new Error('webhook-signature does not match.');
}

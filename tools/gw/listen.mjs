// `gw listen`: hands a client's events on to a developer's machine, signed as deliveries are, without a public address.
import { setTimeout as pause } from 'node:timers/promises';
import { bold, dim, green, harmless, red, say } from '../terminal.mjs';
import { callerOf } from './caller.mjs';
import { UsageError } from './usage-error.mjs';

const PAUSE_MS = 500;
const DEADLINE_MS = 10_000;
/** An event is dated when its transaction begins and seen when it ends: those of the last seconds are looked through again. */
const LATE_MS = 15_000;
/** A delivery would be tried again: whoever watches must not wait for that. */
const ONCE = dim('not handed on again: listen hands each event on once');

export async function listen(_, flags) {
  const target = targetOf(flags.forward);
  const caller = await callerOf(flags);
  let since = await newestOf(caller.client);
  const seen = new Set(since.ids);
  say(`Handing events on to ${bold(target)}. Ctrl-C ends it.`);
  for (let turn = 0; flags.count === undefined || turn < flags.count;) {
    for (const event of await eventsSince(caller.client, since.at)) {
      if (seen.has(event.id)) continue;
      seen.add(event.id);
      since = { at: event.createdAt };
      await handOn(caller, target, event);
      turn += 1;
    }
    await pause(PAUSE_MS);
  }
}

function targetOf(text) {
  if (/^https?:\/\/[^/]/.test(text)) return text;
  throw new UsageError('--forward takes an http or https URL, such as http://localhost:4000/hooks.');
}

/** What was there before is not handed on. */
async function newestOf(client) {
  const { body } = await client.request('GET', '/events?limit=100');
  return { at: body.data[0]?.createdAt ?? new Date(0).toISOString(), ids: body.data.map(({ id }) => id) };
}

/** Oldest first. */
async function eventsSince(client, instant) {
  const from = new Date(Math.max(0, new Date(instant).getTime() - LATE_MS)).toISOString();
  const events = [];
  for (let cursor = ''; cursor !== null;) {
    const query = new URLSearchParams({ createdFrom: from, ...(cursor ? { cursor } : {}) });
    const { body } = await client.request('GET', `/events?${query}`);
    events.push(...body.data);
    cursor = body.nextCursor;
  }
  return events.sort(inOrder);
}

function inOrder(a, b) {
  return a.createdAt === b.createdAt ? a.payload.sequence - b.payload.sequence : a.createdAt < b.createdAt ? -1 : 1;
}

async function handOn({ signingSecret, domain }, target, { id, type, payload }) {
  const body = JSON.stringify(payload);
  const line = `${harmless(type).padEnd(14)} ${harmless(payload.status ?? '').padEnd(18)} ${dim(harmless(id))}`;
  try {
    const { status } = await fetch(target, {
      method: 'POST',
      headers: signed(domain, signingSecret, { id, type, body }),
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    say(`${line} ${status < 300 ? green(status) : `${red(status)} ${ONCE}`}`);
  } catch (error) {
    say(`${line} ${red(error.cause?.code ?? error.name)} ${ONCE}`);
  }
}

/** The headers of a delivery. */
function signed({ signV1, standardWebhookSignature, systemClock, unixSeconds }, secret, { id, type, body }) {
  const timestamp = String(unixSeconds(systemClock));
  return {
    'content-type': 'application/json',
    'x-gw-timestamp': timestamp,
    'x-gw-signature': signV1(secret, timestamp, body).toString('hex'),
    'x-gw-event-id': id,
    'x-gw-event-type': type,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardWebhookSignature(secret, id, timestamp, body),
  };
}

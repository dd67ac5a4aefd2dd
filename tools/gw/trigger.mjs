// `gw trigger`: makes an event happen, by doing in test mode what leads to it.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { callerOf } from './caller.mjs';
import { UsageError } from './usage-error.mjs';

const AMOUNT = { amountCents: 2500, currency: 'USD' };
const BELOW_EVERY_FLOOR = { amountCents: 1, currency: 'USD' };
/** A key says so itself, as the mode of a client is fixed when it is made. */
const LIVE_KEY = /^gw_live_/;
const IS_LIVE = 'Only a client in test mode can trigger events: this one is live.';
const LOOK_AGAIN_MS = 250;
const DEADLINE_MS = 30_000;

const payout =
  (wish = {}) =>
  async (client) =>
    client.payouts.create({
      ...AMOUNT,
      ...wish,
      payeeId: await payee(client),
      idempotencyKey: `trigger-${randomUUID()}`,
    });

/** The answer to a payout is of the moment it was made: what comes to it by itself is waited for. */
const until = (status, made) => async (client) => {
  let payout = await made(client);
  const deadline = Date.now() + DEADLINE_MS;
  while (payout.status !== status && Date.now() < deadline) {
    await pause(LOOK_AGAIN_MS);
    payout = await client.payouts.get(payout.id);
  }
  return payout;
};

/** Each with what leads to it. Every status a payout passes is an event of its own. */
const TRIGGERS = {
  'payee.updated': async (client) => client.payees.get(await payee(client)),
  'payout.requested': payout(),
  'payout.authorized': payout(),
  'payout.submitted': payout({ reason: 'mock:pending' }),
  'payout.held': payout(BELOW_EVERY_FLOOR),
  'payout.paid': payout(),
  'payout.failed': payout({ reason: 'mock:fail_permanent' }),
  'payout.failed_transient': payout({ reason: 'mock:fail_transient' }),
  'payout.returned': until('returned', payout({ reason: 'mock:return' })),
};
export const TRIGGER_NAMES = Object.keys(TRIGGERS);

export async function trigger([name], flags) {
  if (!Object.hasOwn(TRIGGERS, name))
    throw new UsageError(`There is no '${name}' to trigger, only ${TRIGGER_NAMES.join(', ')}.`);
  const { client, apiKey } = await callerOf(flags);
  if (LIVE_KEY.test(apiKey)) throw new Error(IS_LIVE);
  return TRIGGERS[name](client);
}

/** A new one each time, onboarded by the test helper. */
async function payee(client) {
  const externalId = `trigger-${randomUUID()}`;
  const wish = { externalId, email: 'trigger@example.com', name: 'Trigger', country: 'US' };
  const { id } = await client.payees.upsert(wish);
  await client.request('POST', `/test/payees/${id}/onboarding`, { outcome: 'verified' }).catch((error) => {
    throw error.status === 404 ? new Error(IS_LIVE) : error;
  });
  return id;
}

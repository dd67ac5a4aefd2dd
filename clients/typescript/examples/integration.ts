// The integration guide as one program: docs/integrate.md shows its parts, and a test runs it from the installed package.
// GATEWAY_URL, GATEWAY_KEY and GATEWAY_SECRET say whom to ask; events are taken on WEBHOOK_PORT.
// #region client
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  Conflict,
  type CreatePayoutBody,
  GatewayClient,
  type GatewayEvent,
  InvalidRequest,
  InvalidWebhook,
  PayoutGatewayError,
  verifyWebhook,
} from 'payout-gateway-client';

const { GATEWAY_URL = 'http://localhost:3000', GATEWAY_KEY = '', GATEWAY_SECRET = '' } = process.env;
const gateway = new GatewayClient({ baseUrl: GATEWAY_URL, apiKey: GATEWAY_KEY, signingSecret: GATEWAY_SECRET });

const run = randomUUID().slice(0, 8); // so that what follows can be run more than once
// #endregion

// #region webhooks
const events: GatewayEvent[] = []; // of this program, which waits for some
const news = new EventEmitter();
const handled = new Set<string>(); // yours: a table with a unique eventId
const newest = new Map<string, number>();

const receiver = createServer(async (request, response) => {
  const rawBody = await buffer(request);
  try {
    const event = verifyWebhook(rawBody, request.headers, [GATEWAY_SECRET]);
    response.writeHead(204).end(); // first say that you have it, then do the work
    if (event.type !== 'payout.status' && event.type !== 'payee.updated') return; // a ping, or what is new
    const about = event.type === 'payout.status' ? event.transactionId : event.payeeId;
    const isOld = event.sequence <= (newest.get(about) ?? 0);
    if (handled.has(event.eventId) || isOld) return;
    handled.add(event.eventId);
    newest.set(about, event.sequence);
    handle(event);
  } catch (error) {
    if (!(error instanceof InvalidWebhook)) throw error;
    response.writeHead(400).end(); // somebody else sent this
  }
});

function handle(event: GatewayEvent): void {
  events.push(event);
  news.emit('event');
  if (event.type === 'payout.status') console.log(`  event: payout ${event.status}, ${event.amountCents} cents`);
}
// #endregion

async function tryWebhooks(): Promise<void> {
  // #region ping
  receiver.listen(Number(process.env.WEBHOOK_PORT ?? 4000), '127.0.0.1');
  await once(receiver, 'listening');
  const { delivered, message } = await gateway.webhook.test();
  console.log(delivered ? 'webhooks arrive' : `webhooks do not arrive: ${message}`);
  // #endregion
}

async function makePayee(): Promise<string> {
  // #region payee
  const payee = await gateway.payees.upsert({
    externalId: `creator-${run}`, // your own id: sent again, it changes this payee
    email: `ada-${run}@example.com`,
    name: 'Ada Lovelace',
    country: 'US',
  });
  const payeeId = payee.id;
  // Live, send the payee to this page; it sends them back to you.
  const { url } = await gateway.payees.onboardingLink(payeeId, { returnUrl: 'http://localhost:8080/paid-by-us' });
  console.log(`page: ${url}`);
  // In test mode nobody has to fill it in.
  await gateway.test.finishOnboarding(payeeId, { outcome: 'verified' });
  const { payable, blockers } = await gateway.payees.readiness(payeeId);
  if (!payable) throw new Error(`Not payable: ${blockers.join(', ')}`);
  // #endregion
  return payeeId;
}

async function pay(payeeId: string): Promise<void> {
  // #region payout
  const wanted: CreatePayoutBody = {
    payeeId,
    amountCents: 12_500,
    currency: 'USD',
    idempotencyKey: `invoice-${run}`, // keep it with your invoice, before you send anything
    ref: `invoice-${run}`,
  };
  const payout = await gateway.payouts.create(wanted);
  const again = await gateway.payouts.create(wanted); // the same payout: nothing moves twice
  console.log(`payout ${payout.status}; sent again ${again.id === payout.id ? 'it is the same' : 'it is another'}`);
  // #endregion
  // #region list
  const found: string[] = [];
  for await (const { id, status, amountCents } of gateway.payouts.list({ payeeId, status: 'paid' })) {
    console.log(`listed: ${id} ${status} ${amountCents}`);
    found.push(id);
  }
  // #endregion
  if (!found.includes(payout.id)) throw new Error('The payout is not in the list.');
  await toldOf(payout.id, 'paid');
}

async function owe(payeeId: string): Promise<void> {
  // #region owed
  const row = { payeeId, amountCents: 1_250, currency: 'USD', externalRef: `royalty-${run}` };
  const { results } = await gateway.disbursements.push([row]);
  for (const { index, status, error } of results) if (status === 'error') console.log(`row ${index}: ${error}`);
  const { withdrawableCents } = await gateway.payees.balance(payeeId, 'USD');
  const { released, releasedCents } = await gateway.payees.withdraw(payeeId);
  console.log(`owed ${withdrawableCents}; withdrawn ${released} rows, ${releasedCents} cents`);
  // #endregion
}

async function runInto(payeeId: string): Promise<void> {
  // #region errors
  try {
    await gateway.payouts.create({ payeeId, amountCents: 1, currency: 'US', idempotencyKey: `bad-${run}` });
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error;
    for (const { path, message } of error.details?.fields ?? []) console.log(`refused: ${path} ${message}`);
  }
  try {
    await gateway.payees.withdraw(payeeId);
  } catch (error) {
    if (!(error instanceof PayoutGatewayError)) throw error;
    if (error.mayHaveHappened) console.log('lost: look at the balance and the list of payouts before you ask again');
    else if (error instanceof Conflict)
      console.log(`refused: ${error.code}`); // nothing_to_withdraw
    else throw error;
  }
  // #endregion
}

async function directed(payeeId: string): Promise<void> {
  // #region directives
  const failing = {
    payeeId,
    amountCents: 900,
    currency: 'USD',
    idempotencyKey: `once-${run}`,
    reason: 'mock:fail_once',
  };
  const failed = await gateway.payouts.create(failing);
  const retried = await gateway.payouts.retry(failed.id);
  console.log(`${failed.status} and ${failed.retryable ? 'retryable' : 'final'}; retried, it is ${retried.status}`);

  const slow = { payeeId, amountCents: 700, currency: 'USD', idempotencyKey: `lost-${run}`, reason: 'mock:timeout' };
  const lost = await gateway.payouts.create(slow); // the rail's answer was lost: submitted, never failed
  await gateway.test.advanceClock({ advanceSeconds: 3_600 }); // what is due begins at once, and the rail is asked
  await toldOf(lost.id, 'paid');
  console.log(`${lost.status}; an hour later it is ${(await gateway.payouts.get(lost.id)).status}`);
  // #endregion
}

// #region waiting
/** Events come beside the answers. */
async function toldOf(payoutId: string, status: string): Promise<void> {
  const isIt = (event: GatewayEvent): boolean =>
    event.type === 'payout.status' && event.transactionId === payoutId && event.status === status;
  while (!events.some(isIt)) await once(news, 'event');
}
// #endregion

async function main(): Promise<void> {
  await tryWebhooks();
  const payeeId = await makePayee();
  await pay(payeeId);
  await owe(payeeId);
  await runInto(payeeId);
  await directed(payeeId);
  console.log('done');
  receiver.close();
  receiver.closeAllConnections();
}

void main();

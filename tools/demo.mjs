// `npm run demo`: one payout through the running service, seen from a caller's side: a client, a payee, the payout, the
// same payout once more, the signed events, and links to the pages that the payee sees. Leaves a test-mode client behind,
// which touches nobody else's data. With `-- --rails` it brings a gateway and the providers of its rails along instead.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { ensureBuilt } from './build.mjs';
import { startCatcher, verifyStandardWebhook } from './demo/catcher.mjs';
import { pagesOf } from './demo/pages.mjs';
import { demoOfRails } from './demo/rails.mjs';
import { newTestClient } from './demo/service.mjs';
import { detail, step, timed } from './demo/steps.mjs';
import { ensureUp, SERVICE_URL } from './operator-surface.mjs';
import { bold, cyan, dim, endWithReader, green, heading, runScript, say } from './terminal.mjs';

const EVENTS_MS = 15_000;
const WANTED = ['payable', 'requested', 'authorized', 'submitted', 'paid'];

endWithReader();
const HELP = `npm run demo                     one payout through the service that runs at GATEWAY_URL, step by step
npm run demo -- --rails          brings a gateway and simulated providers along, and pays a person over each rail
npm run demo -- --rails --stay   and leaves them running until Ctrl-C`;
const KNOWN = ['--rails', '--stay', '--help'];

await runScript(async () => {
  const unknown = process.argv.slice(2).find((flag) => !KNOWN.includes(flag));
  if (unknown) throw new Error(`There is no '${unknown}' here.\n${HELP}`);
  if (process.argv.includes('--help')) return say(HELP);
  if (process.argv.includes('--rails')) return demoOfRails({ stays: process.argv.includes('--stay') });
  await ensureUp();
  ensureBuilt();
  const catcher = await startCatcher();
  try {
    await demo(catcher);
  } finally {
    catcher.stop();
  }
});

async function demo(catcher) {
  const { GatewayClient, verifyWebhook } = createRequire(import.meta.url)('../dist/libs/sdk/src/index.js');
  heading(`One payout through ${SERVICE_URL}`);
  const { apiKey, signingSecret } = await makeClient(catcher.url);
  const gateway = new GatewayClient({ baseUrl: SERVICE_URL, apiKey, signingSecret });
  const payee = await makePayee(gateway);
  await makePayable(gateway, payee.id);
  const { askedAt } = await pay(gateway, payee.id);
  await showEvents(catcher, signingSecret, { verifyWebhook, askedAt });
  await showPages(gateway, catcher, payee);
  sayWhatNext();
}

async function makeClient(webhookUrl) {
  const made = await timed(() => newTestClient({ name: `Demo ${randomUUID().slice(0, 8)}`, webhookUrl }));
  step('A client in test mode', 'POST /operator/v1/clients', made.ms);
  detail('id', made.answer.client.id);
  detail('webhooks', webhookUrl);
  return made.answer;
}

async function makePayee(gateway) {
  const body = {
    externalId: `creator-${randomUUID().slice(0, 8)}`,
    email: `ada-${randomUUID().slice(0, 8)}@example.com`,
    name: 'Ada Lovelace',
    country: 'US',
  };
  const { answer: payee, ms } = await timed(() => gateway.payees.upsert(body));
  step('A payee', 'POST /api/v1/payees', ms);
  detail('id', payee.id);
  detail('payable', `${payee.payable}, identity ${payee.kycStatus}`);
  return payee;
}

async function makePayable(gateway, payeeId) {
  const onboarding = `/test/payees/${payeeId}/onboarding`;
  const done = await timed(() => gateway.request('POST', onboarding, { outcome: 'verified' }));
  step('Onboarding, as a test helper does it', 'POST /api/v1/test/payees/{id}/onboarding', done.ms);
  const { answer: readiness, ms } = await timed(() => gateway.payees.readiness(payeeId));
  step('Can it be paid?', 'GET /api/v1/payees/{id}/readiness', ms);
  detail('payable', readiness.payable ? green('yes') : `no: ${readiness.blockers.join(', ')}`);
  detail('rail', readiness.provider);
  if (!readiness.payable) throw new Error('The payee should be payable by now. The log of `npm start` says why.');
}

async function pay(gateway, payeeId) {
  const body = {
    payeeId,
    amountCents: 12_500,
    currency: 'USD',
    idempotencyKey: randomUUID(),
    ref: 'invoice-7',
    reason: 'Demo',
  };
  const askedAt = performance.now();
  const first = await timed(() => gateway.request('POST', '/payouts', body));
  const payout = first.answer.body;
  step('A payout of 125.00 USD', 'POST /api/v1/payouts', first.ms);
  detail('id', payout.id);
  detail('answer', `${first.answer.status}, ${green(payout.status)} over ${payout.provider}`);
  if (payout.status !== 'paid')
    throw new Error(`The payout is ${payout.status}, and a test payout should be paid at once.`);

  const again = await timed(() => gateway.request('POST', '/payouts', body));
  step('The same payout once more', 'POST /api/v1/payouts', again.ms);
  const same = again.answer.status === 200 && again.answer.body.id === payout.id;
  detail(
    'answer',
    `${again.answer.status}, ${same ? green('the same payout: nothing is paid twice') : 'another payout'}`,
  );
  if (!same) throw new Error('The same idempotency key must answer the same payout.');
  return { payout, askedAt };
}

async function showEvents(catcher, secret, { verifyWebhook, askedAt }) {
  const words = () => catcher.deliveries.map(({ rawBody }) => wordOf(JSON.parse(rawBody)));
  const complete = await catcher.until(() => WANTED.every((word) => words().includes(word)), EVENTS_MS);
  step('What the client was told meanwhile', 'signed webhooks', null);
  for (const { headers, rawBody, at } of catcher.deliveries) {
    const event = verifyWebhook(rawBody, headers, secret);
    verifyStandardWebhook(rawBody, headers, secret);
    const since =
      event.type === 'payout.status' ? dim(`${Math.round(at - askedAt)} ms after the payout was asked for`) : '';
    say(`     ${green('✓')} ${event.type.padEnd(14)} ${wordOf(event).padEnd(12)} ${since}`);
  }
  if (!complete) {
    const missing = WANTED.filter((word) => !words().includes(word));
    throw new Error(
      `These events did not come within ${EVENTS_MS / 1000} s: ${missing.join(', ')}. Can the service reach ${catcher.url}?`,
    );
  }
  say(dim(`     Each one verified: x-gw-signature and Standard Webhooks.`));
}

async function showPages(gateway, catcher, payee) {
  const { answer: pages, ms } = await timed(() => pagesOf(gateway, catcher, payee));
  step('What the payee sees, to click through', 'the wallet opens once, within a quarter of an hour', ms);
  for (const [name, link] of pages) detail(name, cyan(link));
}

function wordOf({ type, status, payable, kycStatus }) {
  if (type === 'payout.status') return status;
  return payable ? 'payable' : kycStatus;
}

function sayWhatNext() {
  heading('Next');
  say(`  ${cyan(`${SERVICE_URL}/docs`)}  every route, to try out`);
  say(
    `  Give a payout of this client the reason ${bold('mock:fail_once')}, ${bold('mock:return')} or ${bold('mock:timeout')}: failures on demand.`,
  );
  say(
    `  ${bold([...settingsHere(), 'npm run gw -- audit'].join(' '))}  what operators did so far, this client included`,
  );
}

/** What was said in front of this command has to be said in front of the next one too. */
function settingsHere() {
  const said = ['GATEWAY_URL', 'PUBLIC_URL', 'PORT', 'DATA_DIR'].filter((name) => process.env[name]);
  return said
    .map((name) => `${name}='${process.env[name]}'`)
    .concat(process.env.OPERATOR_TOKEN ? ['OPERATOR_TOKEN=…'] : []);
}

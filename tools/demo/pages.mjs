// The pages that payees see, made ready to be clicked through: links to each, of a payee with money in every state.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SERVICE_URL } from '../operator-surface.mjs';

const TRIES = 100;
const PAUSE_MS = 100;
const WALLET = /https?:\/\/\S+\/portal\/open\/[\w-]+/;

/** Returns [what it is for, its link] pairs. */
export async function pagesOf(gateway, catcher, payee) {
  const owed = { payeeId: payee.id, amountCents: 4_200, currency: 'USD', externalRef: randomUUID() };
  await gateway.request('POST', '/disbursements', { items: [owed] });
  const [claim, sendOn] = [await pageOf('mock:claim'), await pageOf('mock:swap')];
  const other = await gateway.payees.upsert({ externalId: `creator-${randomUUID().slice(0, 8)}`, country: 'US' });
  const returnUrl = `${SERVICE_URL}/dev/mailbox`; // there still is somebody, once this has ended
  const { body } = await gateway.request('POST', `/payees/${other.id}/onboarding-link`, { returnUrl });
  await gateway.request('POST', `/payees/${payee.id}/portal-link`, {});
  return [
    ['wallet', await mailedLink(payee.email)],
    ['claim', claim],
    ['send on', sendOn],
    ['set up', body.url],
    ['mails', `${SERVICE_URL}/dev/mailbox`],
  ];

  async function pageOf(reason) {
    const wanted = { payeeId: payee.id, amountCents: 1_500, currency: 'USD', idempotencyKey: randomUUID(), reason };
    const { id } = (await gateway.request('POST', '/payouts', wanted)).body;
    const told = () =>
      catcher.deliveries
        .map(({ rawBody }) => JSON.parse(rawBody))
        .find(({ transactionId, status, claimUrl }) => transactionId === id && status === 'submitted' && claimUrl);
    await catcher.until(() => told() !== undefined, TRIES * PAUSE_MS);
    if (!told()) throw new Error(`No event brought the page of the payout ${id}. The log of \`npm start\` says why.`);
    return told().claimUrl;
  }
}

/** A link into a wallet goes to its payee alone: in development mails are kept, and anybody reads them. */
async function mailedLink(address) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await fetch(`${SERVICE_URL}/dev/mailbox`, { headers: { accept: 'application/json' } });
    const { data = [] } = answer.ok ? await answer.json() : {};
    const link = data.filter(({ to }) => to === address).map(({ text }) => WALLET.exec(text)?.[0]);
    if (link.find(Boolean)) return link.find(Boolean);
    await pause(PAUSE_MS);
  }
  throw new Error('The mail with the link into the wallet is not in /dev/mailbox. The log of `npm start` says why.');
}

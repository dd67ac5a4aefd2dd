/** What the simulated Stripe tells by itself, signed as Stripe signs: of connected accounts with a secret of their own. */
import { createHmac } from 'node:crypto';
import type { Notice } from '#libs/provider-sandbox';
import type { Change } from './stripe-books';
import { eventBody } from './stripe-words';

export interface NoticeSecrets {
  platform: string;
  connect: string;
}

export function noticeOf(change: Change, now: Date, secrets: NoticeSecrets): Notice {
  const body = JSON.stringify(eventBody(change, now).body);
  const secret = 'transfer' in change ? secrets.platform : secrets.connect;
  const time = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { body, headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` } };
}

/** Signed, but not for these words. */
export function forged({ body, headers }: Notice): Notice {
  return { body: body.replace('"pending_webhooks":1', '"pending_webhooks":2'), headers };
}

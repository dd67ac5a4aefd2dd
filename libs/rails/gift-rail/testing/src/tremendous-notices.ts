/** What the simulated Tremendous tells by itself, signed as Tremendous signs. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Notice } from '#libs/provider-sandbox';
import type { Change } from './tremendous-books';

/** It names what changed, and says nothing of how it stands. */
export function noticeOf({ event, order }: Change, now: Date, webhookKey: string): Notice {
  const resource = event.startsWith('REWARDS.')
    ? { id: order.reward.id, type: 'rewards' }
    : { id: order.id, type: 'orders' };
  const body = JSON.stringify({ event, uuid: randomUUID(), created_utc: now.toISOString(), payload: { resource } });
  const signature = createHmac('sha256', webhookKey).update(body).digest('hex');
  return {
    body,
    headers: { 'content-type': 'application/json', 'tremendous-webhook-signature': `sha256=${signature}` },
  };
}

/** Signed, but not for these words. */
export function forged({ body, headers }: Notice): Notice {
  return { body: body.replace('"created_utc"', '"created_at"'), headers };
}

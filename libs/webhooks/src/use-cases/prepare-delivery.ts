/** Makes the request of one attempt: to the client's URL as it is now, signed now with the client's newest secret. */
import { Inject, Injectable } from '@nestjs/common';
import { ClientRegistry, InjectClock } from '#libs/auth';
import { CONFIG, type Config } from '#libs/config';
import { type Clock, signV1, standardWebhookSignature, unixSeconds } from '#libs/domain';
import type { LeasedEvent } from '../db/delivery.store';
import type { Delivery, Outcome } from '../delivery';
import { checkWebhookUrl } from '../webhook-url';

const USER_AGENT = 'payout-gateway-webhooks/1';

@Injectable()
export class PrepareDelivery {
  constructor(
    private readonly clients: ClientRegistry,
    @Inject(CONFIG) private readonly config: Pick<Config, 'production'>,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async run(event: LeasedEvent): Promise<Delivery | (Outcome & { kind: 'undeliverable' })> {
    const known = await this.clients.byId(event.clientId);
    // A suspended client may not ask for anything; what happens to its payouts it is still told.
    if (!known || known.client.status === 'closed') return undeliverable('The client is closed.');
    const url = known.client.webhookUrl;
    if (!url) return undeliverable('The client has no webhook URL. Set one, then replay the event.');
    const complaint = checkWebhookUrl(url, this.config.production);
    if (complaint) return undeliverable(`The client's webhook URL ${complaint}. Change it, then replay the event.`);
    const secret = known.secrets[0]?.secret;
    if (!secret) return undeliverable('The client has no signing secret. Make one, then replay the event.');
    return { url, headers: this.headers(event, secret), body: event.body };
  }

  private headers({ id, type, body }: LeasedEvent, secret: string): Record<string, string> {
    const timestamp = String(unixSeconds(this.clock));
    return {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-gw-timestamp': timestamp,
      'x-gw-signature': signV1(secret, timestamp, body).toString('hex'),
      'x-gw-event-id': id,
      'x-gw-event-type': type,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': standardWebhookSignature(secret, id, timestamp, body),
    };
  }
}

function undeliverable(error: string): Outcome & { kind: 'undeliverable' } {
  return { kind: 'undeliverable', error };
}

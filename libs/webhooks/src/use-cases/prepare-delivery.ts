/** Makes the request of one attempt: to the client's URL as it is now, signed now with the client's secrets. */
import { Inject, Injectable } from '@nestjs/common';
import { ClaimLinks } from '#libs/claim-links';
import { ClientRegistry, type KnownClient } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { CONFIG, type Config } from '#libs/config';
import { type Clock, signV1, standardWebhookSignature, unixSeconds } from '#libs/domain';
import type { Delivery, Undeliverable } from '../delivery';
import { checkWebhookUrl } from '../webhook-url';

const USER_AGENT = 'payout-gateway-webhooks/1';
/** While secrets overlap, of the newest so many: what a receiver still has or has already is among them. */
const MOST_SIGNATURES = 3;

export interface Message {
  id: string;
  type: string;
  clientId: string;
  /** As it was read just now. */
  webhookUrl: string | null;
  body: string;
}

@Injectable()
export class PrepareDelivery {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly links: ClaimLinks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'production'>,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async run(message: Message): Promise<Delivery | Undeliverable> {
    const made = this.made(message, await this.clients.byId(message.clientId));
    // Before it is given up for good, or sent to an address that its client left: another process may have changed the client a moment ago.
    const isOld = 'kind' in made || made.url !== message.webhookUrl;
    return isOld ? this.made(message, await this.clients.readAgain(message.clientId)) : made;
  }

  /** The same for what was read a while ago, or never. */
  async now(message: Omit<Message, 'webhookUrl'>): Promise<Delivery | Undeliverable> {
    const client = await this.clients.stored(message.clientId);
    return this.run({ ...message, webhookUrl: client?.webhookUrl ?? null });
  }

  private made(message: Message, known: KnownClient | null): Delivery | Undeliverable {
    // A suspended client may not ask for anything; what happens to its payouts it is still told.
    if (!known || known.client.status === 'closed') return undeliverable('The client is closed.');
    const url = known.client.webhookUrl;
    if (!url) return undeliverable('The client has no webhook URL. Set one, then replay the event.');
    const complaint = checkWebhookUrl(url, this.config.production);
    if (complaint) return undeliverable(`The client's webhook URL ${complaint}. Change it, then replay the event.`);
    const [newest, ...older] = known.secrets.slice(0, MOST_SIGNATURES).map(({ secret }) => secret);
    if (!newest) return undeliverable('The client has no signing secret. Make one, then replay the event.');
    const body = this.links.filledIn(message.body);
    const headers = this.headers({ ...message, body }, newest, older);
    return { url, host: new URL(url).host, headers, body };
  }

  /** Our own header has room for one signature, so there the newest secret signs; the standard one takes them all. */
  private headers({ id, type, body }: Message, newest: string, older: string[]): Record<string, string> {
    const timestamp = String(unixSeconds(this.clock));
    const signatures = [newest, ...older].map((secret) => standardWebhookSignature(secret, id, timestamp, body));
    return {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-gw-timestamp': timestamp,
      'x-gw-signature': signV1(newest, timestamp, body).toString('hex'),
      'x-gw-event-id': id,
      'x-gw-event-type': type,
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    };
  }
}

function undeliverable(error: string): Undeliverable {
  return { kind: 'undeliverable', reason: 'not_sent', error };
}

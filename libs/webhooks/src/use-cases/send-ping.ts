/** Sends a signed ping to the client's own URL, right now, over the very way that events take, and tells what came back. */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { InjectClock } from '#libs/clock';
import { type Clock, newId, Refusal } from '#libs/domain';
import { log } from '#libs/telemetry';
import type { Outcome } from '../delivery';
import { HostSlots } from '../host-slots';
import { PrepareDelivery } from './prepare-delivery';
import { SendDelivery } from './send-delivery';
import { WakeReceiver } from './wake-receiver';

export const PING = 'ping';

const NO_URL = 'Your client has no webhook URL: set it by PUT /api/v1/webhook, or ask the operator to.';

export interface PingResult {
  eventId: string;
  host: string | null;
  outcome: Outcome;
  durationMs: number;
}

@Injectable()
export class SendPing {
  constructor(
    private readonly prepare: PrepareDelivery,
    private readonly send: SendDelivery,
    private readonly slots: HostSlots,
    private readonly receivers: WakeReceiver,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async run(client: Client): Promise<PingResult> {
    if (!client.webhookUrl) throw new Refusal('webhook_url_missing', NO_URL);
    const eventId = newId();
    const body = JSON.stringify({ type: PING, eventId, sequence: 0, occurredAt: this.clock.now().toISOString() });
    const prepared = await this.prepare.now({ id: eventId, type: PING, clientId: client.id, body });
    if (!('url' in prepared)) return { eventId, host: null, outcome: prepared, durationMs: 0 };
    const { host } = prepared;
    const slot = await this.slots.take(host, client.id);
    // No limit of the client's was passed: a 429 would have to say which.
    if (!slot) throw new Refusal('service_unavailable', 'Many deliveries to your host are under way. Try again.');
    try {
      const { outcome, durationMs } = await this.send.run(prepared);
      return await this.heard(client, { eventId, host, outcome, durationMs });
    } finally {
      slot.giveBack();
    }
  }

  /** A receiver that acknowledges a ping is well again: what waited for it goes out. */
  private async heard(client: Client, result: PingResult): Promise<PingResult> {
    const { eventId, host, outcome, durationMs } = result;
    log.info({ event: 'webhook.pinged', clientId: client.id, eventId, host, ms: durationMs }, outcome.kind);
    if (outcome.kind === 'delivered') await this.receivers.acknowledged(client.id);
    return result;
  }
}

/** Whether an attempt may be made right now: the host has room for it, and its receiver does not rest. */
import { Injectable } from '@nestjs/common';
import { DeliveryStore, type LeasedEvent } from '../db/delivery.store';
import { ReceiverStore } from '../db/receiver.store';
import type { Delivery } from '../delivery';
import { HostSlots } from '../host-slots';

export interface Turn {
  /** The one attempt that is made after a rest. */
  probe: boolean;
  end: () => void;
}

/** Until somebody else's probe is likely to be over. */
const PROBED_BY_ANOTHER_SECONDS = 5;

@Injectable()
export class TakeTurn {
  constructor(
    private readonly receivers: ReceiverStore,
    private readonly deliveries: DeliveryStore,
    private readonly slots: HostSlots,
  ) {}

  /** Where it is not its turn, the event is let go. */
  async take(event: LeasedEvent, { host }: Delivery): Promise<Turn | { waitSeconds: number }> {
    const end = await this.slots.take(host, event.clientId);
    if (!end) return this.letGo(event, this.slots.secondsToWait(host));
    if (event.receiver !== 'rested') return { probe: false, end };
    const probe = await this.receivers.beginProbe(event.clientId).catch((error: Error) => {
      end();
      throw error;
    });
    if (probe) return { probe, end };
    end();
    return this.letGo(event, PROBED_BY_ANOTHER_SECONDS);
  }

  private async letGo(event: LeasedEvent, waitSeconds: number): Promise<{ waitSeconds: number }> {
    await this.deliveries.giveBack(event);
    return { waitSeconds };
  }
}

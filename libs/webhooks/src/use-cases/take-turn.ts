/** Whether an attempt may be made right now: the host has room for it, and its receiver does not rest. */
import { Injectable } from '@nestjs/common';
import type { DueEvent } from '../db/delivery.reads';
import { ReceiverStore } from '../db/receiver.store';
import type { Delivery } from '../delivery';
import { FailingReceivers } from '../failing-receivers';
import { HostSlots, type Slot } from '../host-slots';

export interface Turn {
  /** The one attempt that is made after a rest. */
  probe: boolean;
  /** The turn was waited for, and things may have changed since. */
  waited: boolean;
  giveBack: () => void;
}

/** Until somebody else's probe is likely to be over. */
const PROBED_BY_ANOTHER_SECONDS = 5;

@Injectable()
export class TakeTurn {
  constructor(
    private readonly receivers: ReceiverStore,
    private readonly slots: HostSlots,
    private readonly failing: FailingReceivers,
  ) {}

  async take(event: DueEvent, { host }: Delivery): Promise<Turn | { waitSeconds: number }> {
    const slot = await this.slots.take(host, event.clientId);
    if (!slot) return { waitSeconds: this.slots.secondsToWait(host, event.clientId) };
    const { giveBack, waited } = slot;
    const waitSeconds = await this.secondsToRest(event, slot).catch((error: Error) => {
      giveBack();
      throw error;
    });
    if (waitSeconds === null) return { probe: event.receiver === 'rested', waited, giveBack };
    giveBack();
    return { waitSeconds };
  }

  /** Its receiver did not rest when the event was read; it may have been put to rest since. */
  private async secondsToRest({ clientId, receiver }: DueEvent, { waited }: Slot): Promise<number | null> {
    if (receiver === 'rested') return (await this.receivers.beginProbe(clientId)) ? null : PROBED_BY_ANOTHER_SECONDS;
    const fails = receiver === 'failing' || (waited && this.failing.has(clientId));
    return fails ? this.receivers.secondsToRest(clientId) : null;
  }
}

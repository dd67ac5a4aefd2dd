/**
 * Lets time pass for a test client: everything of it becomes as old as if so many seconds had gone by, at once or not at all.
 * What is due by then is woken; nothing of another client changes.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { FairSlots } from '#libs/batcher';
import type { Client } from '#libs/clients';
import { NOT_THERE } from '#libs/http-kit';
import { SelfReleaseJobs } from '#libs/payouts';
import { log } from '#libs/telemetry';
import { type CameDue, MoveTimes } from './move-times';

/** A move of many rows has its connection for long: whoever asks for many at once keeps nobody else from the database. */
const AT_ONCE = { atOnce: 2, perLane: 1 };

export interface Ran extends CameDue {
  released: number;
}

@Injectable()
export class AdvanceClock {
  private readonly slots = new FairSlots(AT_ONCE);

  constructor(
    private readonly times: MoveTimes,
    private readonly releases: SelfReleaseJobs,
  ) {}

  async run({ id, testMode }: Client, seconds: number): Promise<Ran> {
    if (!testMode) throw new Refusal('not_found', NOT_THERE);
    const due = await this.slots.run(id, () => this.times.run(id, seconds));
    return { ...due, released: await this.released(id) };
  }

  /** Payouts that waited for another day. The times have moved, whatever this meets: the schedule tries it again soon. */
  private released(clientId: string): Promise<number> {
    return this.releases.ofEarlierDays(clientId).catch(({ message: error }: Error) => {
      log.warn({ event: 'clock.not_released', clientId, error }, 'released by the schedule');
      return 0;
    });
  }
}

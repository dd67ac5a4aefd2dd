/**
 * Lets time pass for a test client: everything of it becomes as old as if so many seconds had gone by, at once or not at all.
 * What is due by then is woken; nothing of another client changes.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { NOT_THERE } from '#libs/http-kit';
import { SelfReleaseJobs } from '#libs/payouts';
import { log } from '#libs/telemetry';
import { LongTurns } from './long-turns';
import { type CameDue, MoveTimes } from './move-times';

export interface Ran extends CameDue {
  released: number;
}

@Injectable()
export class AdvanceClock {
  constructor(
    private readonly turns: LongTurns,
    private readonly times: MoveTimes,
    private readonly releases: SelfReleaseJobs,
  ) {}

  async run({ id, testMode }: Client, seconds: number): Promise<Ran> {
    if (!testMode) throw new Refusal('not_found', NOT_THERE);
    const due = await this.turns.run(id, () => this.times.run(id, seconds));
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

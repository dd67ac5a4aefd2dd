/** What operators do with events: send them once more. The audit log says who did. */
import { Injectable } from '@nestjs/common';
import type { Clock } from '#libs/domain';
import { InjectClock } from '#libs/auth';
import { EventReads, ReplayEvents, type ReplayChoice, type ReplaySummary, type StoredEvent } from '#libs/webhooks';
import { AuditStore } from '../db/audit.store';

@Injectable()
export class OperateEvents {
  constructor(
    private readonly events: EventReads,
    private readonly replays: ReplayEvents,
    private readonly audit: AuditStore,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async replay(actor: string, eventId: string): Promise<StoredEvent> {
    const before = await this.events.find(eventId);
    const event = await this.replays.one(eventId);
    const row = { actor, action: 'event.replayed', clientId: event.clientId, target: eventId };
    await this.audit.add({ ...row, before: before && progressOf(before), after: progressOf(event) });
    return event;
  }

  /** Up to now, where no end is given. */
  async replayAll(actor: string, choice: Omit<ReplayChoice, 'to'> & { to: Date | null }): Promise<ReplaySummary> {
    const whole = { ...choice, to: choice.to ?? this.clock.now() };
    const summary = await this.replays.all(whole);
    const { clientId, status, from, to } = whole;
    await this.audit.add({ actor, action: 'events.replayed', clientId, after: { status, from, to, ...summary } });
    return summary;
  }
}

const progressOf = ({ status, attempts }: StoredEvent) => ({ status, attempts });

/** An operator's deeds with events: send them once more. The audit log names the operator. */
import { Injectable } from '@nestjs/common';
import type { Clock } from '#libs/domain';
import { InjectClock } from '#libs/clock';
import type { ReplayChoice } from '#libs/events';
import { EventReads, ReplayEvents, type ReplaySummary, type StoredEvent, WakeReceiver } from '#libs/webhooks';
import { deedOf, RecordDeeds } from './record-deeds';

const REPLAY = deedOf('event', 'replay', 'replayed');
const WAKE = deedOf('receiver', 'wake', 'woken');
const REPLAY_ALL = deedOf('events', 'replay', 'replayed');

@Injectable()
export class OperateEvents {
  constructor(
    private readonly events: EventReads,
    private readonly replays: ReplayEvents,
    private readonly deeds: RecordDeeds,
    private readonly receivers: WakeReceiver,
    @InjectClock() private readonly clock: Clock,
  ) {}

  async replay(actor: string, eventId: string): Promise<StoredEvent> {
    const known = await this.events.find(eventId);
    const line = { actor, clientId: known?.clientId, target: eventId, before: known && progressOf(known) };
    return this.deeds.atOnce(REPLAY, line, () => this.replays.one(eventId), progressOf);
  }

  /** Whether it rested. */
  wake(actor: string, clientId: string): Promise<boolean> {
    return this.deeds.atOnce(
      WAKE,
      { actor, clientId },
      () => this.receivers.byHand(clientId),
      (woken) => ({ woken }),
    );
  }

  /** Up to now, if no end is given. */
  async replayAll(actor: string, choice: Omit<ReplayChoice, 'to'> & { to: Date | null }): Promise<ReplaySummary> {
    const whole = { ...choice, to: choice.to ?? this.clock.now() };
    const { clientId, status, from, to } = whole;
    const line = { actor, clientId, before: { status, from, to } };
    return this.deeds.inSteps(
      REPLAY_ALL,
      line,
      () => this.replays.all(whole),
      (summary) => ({ status, from, to, ...summary }),
    );
  }
}

const progressOf = ({ status, attempts }: StoredEvent) => ({ status, attempts });

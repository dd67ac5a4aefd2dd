export {
  type Attempted,
  type AttemptRecord,
  EventBook,
  type Made,
  type MadeAttempt,
  type Recorded,
  type ReplayChoice,
  type Replayed,
} from './event.book';
export { EventOutbox, type NewEvent } from './event-outbox';
export { EVENT_STATUSES, type EventStatus } from './event-status';
export { EventsModule } from './events.module';

export { EventOutbox, type NewEvent } from './event-outbox';
export { EventsModule } from './events.module';

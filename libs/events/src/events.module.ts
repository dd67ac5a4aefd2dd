import { Global, Module } from '@nestjs/common';
import { EventBook } from './event.book';
import { EventOutbox } from './event-outbox';

@Global()
@Module({ providers: [EventBook, EventOutbox], exports: [EventBook, EventOutbox] })
export class EventsModule {}

/** Tells callers what happened: events that wait in the outbox are signed and sent until they are acknowledged. */
import { Module } from '@nestjs/common';
import { CONFIG } from '#libs/config';
import { DeliveryStore } from './db/delivery.store';
import { EventReads } from './db/event.reads';
import { ReplayStore } from './db/replay.store';
import { DELIVERY_LIMITS, deliveryLimits } from './delivery';
import { Egress, LOOK_UP, lookUpFor } from './egress';
import { AnnounceJob } from './jobs/announce.job';
import { RecoverJob } from './jobs/recover.job';
import { RetryJob } from './jobs/retry.job';
import { AnnounceEvents } from './use-cases/announce-events';
import { AttemptDelivery } from './use-cases/attempt-delivery';
import { PrepareDelivery } from './use-cases/prepare-delivery';
import { RecordAttempt } from './use-cases/record-attempt';
import { RecoverDeliveries } from './use-cases/recover-deliveries';
import { ReplayEvents } from './use-cases/replay-events';
import { RetryEvent } from './use-cases/retry-event';

@Module({
  providers: [
    { provide: DELIVERY_LIMITS, useValue: deliveryLimits },
    { provide: LOOK_UP, inject: [CONFIG], useFactory: lookUpFor },
    DeliveryStore,
    EventReads,
    ReplayStore,
    Egress,
    PrepareDelivery,
    RecordAttempt,
    AttemptDelivery,
    AnnounceEvents,
    RetryEvent,
    RecoverDeliveries,
    ReplayEvents,
    AnnounceJob,
    RetryJob,
    RecoverJob,
  ],
  exports: [EventReads, ReplayEvents, RecoverDeliveries],
})
export class WebhooksModule {}

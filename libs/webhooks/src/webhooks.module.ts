/** Tells callers what happened: events that wait in the outbox are signed and sent until they are acknowledged. */
import { Module } from '@nestjs/common';
import { CONFIG } from '#libs/config';
import { DeliveryStore } from './db/delivery.store';
import { EventStore } from './db/event.store';
import { DELIVERY_LIMITS, deliveryLimits } from './delivery';
import { Egress, LOOK_UP, lookUpFor } from './egress';
import { AnnounceJob } from './jobs/announce.job';
import { RecoverJob } from './jobs/recover.job';
import { RetryJob } from './jobs/retry.job';
import { AttemptDelivery } from './use-cases/attempt-delivery';
import { PrepareDelivery } from './use-cases/prepare-delivery';
import { RecordAttempt } from './use-cases/record-attempt';
import { RecoverDeliveries } from './use-cases/recover-deliveries';
import { ReplayEvents } from './use-cases/replay-events';

@Module({
  providers: [
    { provide: DELIVERY_LIMITS, useValue: deliveryLimits },
    { provide: LOOK_UP, inject: [CONFIG], useFactory: lookUpFor },
    DeliveryStore,
    EventStore,
    Egress,
    PrepareDelivery,
    RecordAttempt,
    AttemptDelivery,
    RecoverDeliveries,
    ReplayEvents,
    AnnounceJob,
    RetryJob,
    RecoverJob,
  ],
  exports: [EventStore, ReplayEvents, RecoverDeliveries],
})
export class WebhooksModule {}

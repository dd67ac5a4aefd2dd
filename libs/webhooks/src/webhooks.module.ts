/** Tells callers what happened: events that wait in the outbox are signed and sent until they are acknowledged. */
import { Module } from '@nestjs/common';
import { ClaimLinksModule } from '#libs/claim-links';
import { CONFIG } from '#libs/config';
import { DeliveryReads } from './db/delivery.reads';
import { EventReads } from './db/event.reads';
import { ReceiverReads } from './db/receiver.reads';
import { ReceiverStore } from './db/receiver.store';
import { DELIVERY_LIMITS, deliveryLimits } from './delivery';
import { Egress, LOOK_UP, lookUpFor } from './egress';
import { FailingReceivers } from './failing-receivers';
import { HostSlots } from './host-slots';
import { EventsController } from './http/events.controller';
import { WebhookTestsController } from './http/webhook-tests.controller';
import { AnnounceJob } from './jobs/announce.job';
import { ForgetEventsJob } from './jobs/forget-events.job';
import { RecoverJob } from './jobs/recover.job';
import { RetryJob } from './jobs/retry.job';
import { ReceiverMetrics } from './receiver-metrics';
import { AnnounceEvents } from './use-cases/announce-events';
import { AttemptDelivery } from './use-cases/attempt-delivery';
import { ForgetEvents } from './use-cases/forget-events';
import { PrepareDelivery } from './use-cases/prepare-delivery';
import { RecordAttempt } from './use-cases/record-attempt';
import { RecoverDeliveries } from './use-cases/recover-deliveries';
import { ReplayEvents } from './use-cases/replay-events';
import { RetryEvent } from './use-cases/retry-event';
import { SendDelivery } from './use-cases/send-delivery';
import { SendPing } from './use-cases/send-ping';
import { TakeTurn } from './use-cases/take-turn';
import { WakeReceiver } from './use-cases/wake-receiver';

@Module({
  imports: [ClaimLinksModule],
  controllers: [EventsController, WebhookTestsController],
  providers: [
    { provide: DELIVERY_LIMITS, useValue: deliveryLimits },
    { provide: LOOK_UP, inject: [CONFIG], useFactory: lookUpFor },
    DeliveryReads,
    EventReads,
    ReceiverReads,
    ReceiverStore,
    ReceiverMetrics,
    Egress,
    FailingReceivers,
    HostSlots,
    TakeTurn,
    WakeReceiver,
    SendPing,
    PrepareDelivery,
    RecordAttempt,
    SendDelivery,
    AttemptDelivery,
    AnnounceEvents,
    RetryEvent,
    RecoverDeliveries,
    ReplayEvents,
    AnnounceJob,
    RetryJob,
    RecoverJob,
    ForgetEvents,
    ForgetEventsJob,
  ],
  exports: [EventReads, ReceiverReads, ReplayEvents, RecoverDeliveries, WakeReceiver],
})
export class WebhooksModule {}

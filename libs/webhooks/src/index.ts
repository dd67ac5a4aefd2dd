export { type EventFilter, EventReads } from './db/event.reads';
export { ReceiverReads, type RestingReceiver } from './db/receiver.reads';
export type { EventAttempt, StoredEvent } from './event';
export { EventDetailView, eventDetailView, EventPage, EventView, eventView } from './http/event.view';
export { RecoverDeliveries } from './use-cases/recover-deliveries';
export { ReplayEvents, type ReplaySummary } from './use-cases/replay-events';
export { WakeReceiver } from './use-cases/wake-receiver';
export { checkWebhookUrl } from './webhook-url';
export { WebhooksModule } from './webhooks.module';

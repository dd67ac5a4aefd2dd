export { type EventFilter, EventReads } from './db/event.reads';
export type { ReplayChoice } from './db/replay.store';
export { EVENT_STATUSES, type EventStatus, type StoredEvent } from './event';
export { EventPage, EventView, eventView } from './http/event.view';
export { RecoverDeliveries } from './use-cases/recover-deliveries';
export { ReplayEvents } from './use-cases/replay-events';
export { checkWebhookUrl } from './webhook-url';
export { WebhooksModule } from './webhooks.module';

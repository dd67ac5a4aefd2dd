export {
  EVENT_STATUSES,
  type EventFilter,
  type EventStatus,
  EventStore,
  type ReplayChoice,
  type StoredEvent,
} from './db/event.store';
export { EventPage, EventView, eventView } from './http/event.view';
export { RecoverDeliveries } from './use-cases/recover-deliveries';
export { ReplayEvents } from './use-cases/replay-events';
export { checkWebhookUrl } from './webhook-url';
export { WebhooksModule } from './webhooks.module';

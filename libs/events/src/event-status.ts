export const EVENT_STATUSES = ['pending', 'delivered', 'failed', 'skipped'] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** How events are read, wherever they are. */
export const EVENT_COLUMNS = `id, client_id, type, entity_id, sequence, payload, status, attempts, next_attempt_at, last_status_code,
  last_error, delivered_at, created_at`;
export const CREATED_US = '(extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us';

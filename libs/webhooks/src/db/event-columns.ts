/** How events are read, wherever they are. */

/** While its receiver rests, a pending event is not attempted, whenever its own turn would have been. */
const NEXT_ATTEMPT = `CASE WHEN events.status = 'pending' THEN greatest(events.next_attempt_at, (
    SELECT resting_until FROM receivers WHERE receivers.client_id = events.client_id AND resting_until > now()
  )) END AS next_attempt_at`;

export const EVENT_COLUMNS = `id, client_id, type, entity_id, sequence, payload, status, attempts, ${NEXT_ATTEMPT}, last_status_code,
  last_error, delivered_at, created_at`;
export const CREATED_US = '(extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us';

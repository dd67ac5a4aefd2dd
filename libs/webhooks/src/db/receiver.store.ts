/**
 * Receivers that fail. A row is made by a failed attempt and gone with the next one that is acknowledged, so deliveries
 * that go well write nothing here.
 */
import { Inject, Injectable } from '@nestjs/common';
import { digest } from '#libs/domain';
import { Db } from '#libs/db';
import { DELIVERY_LIMITS, type Delivery, type DeliveryLimits, type Failed } from '../delivery';
import { REST, REST_AFTER_FAILURES } from '../schedule';

export interface Failing {
  consecutiveFailures: number;
  rests: number;
  /** Of a rest that began just now; null if none did. */
  restSeconds: number | null;
}

/** Beyond the deadline of an attempt: whoever probes and dies is soon replaced. */
const PROBE_MARGIN_SECONDS = 5;

@Injectable()
export class ReceiverStore {
  constructor(
    private readonly db: Db,
    @Inject(DELIVERY_LIMITS) private readonly limits: DeliveryLimits,
  ) {}

  /** After a rest one attempt is made, and the others wait for what comes of it; false if somebody else makes it. */
  async beginProbe(clientId: string): Promise<boolean> {
    const seconds = this.limits.deadlineMs / 1_000 + PROBE_MARGIN_SECONDS;
    return (await this.db.execute(BEGIN_PROBE, [clientId, seconds])) > 0;
  }

  /** null if it does not rest. */
  async secondsToRest(clientId: string): Promise<number | null> {
    return (await this.db.row<{ seconds: number }>(SECONDS_TO_REST, [clientId]))?.seconds ?? null;
  }

  async failed(
    clientId: string,
    { url, host }: Delivery,
    { statusCode, error }: Failed,
    probe: boolean,
  ): Promise<Failing> {
    const rest = [REST_AFTER_FAILURES, REST.firstSeconds, REST.capSeconds];
    const row = await this.db.row<Failing>(FAILED, [clientId, host, digest(url), statusCode, error, probe, ...rest]);
    return row as Failing;
  }

  /** true if it was known to fail until now. */
  async recovered(clientId: string): Promise<boolean> {
    return (await this.db.execute('DELETE FROM receivers WHERE client_id = $1', [clientId])) > 0;
  }

  /** The next attempt is made now, and the others wait for what comes of it. false: it did not rest. */
  async endRest(clientId: string): Promise<boolean> {
    return (await this.db.execute(END_REST, [clientId])) > 0;
  }

  /** The clients that were given another URL since their receiver failed. */
  async moved(): Promise<string[]> {
    return (await this.db.rows<{ clientId: string }>(MOVED)).map(({ clientId }) => clientId);
  }

  /** false: it was not moved, or is forgotten already. */
  async forgetMoved(clientId: string): Promise<boolean> {
    return (await this.db.execute(FORGET_MOVED, [clientId])) > 0;
  }
}

/** Knowledge of a receiver counts only for the URL that it was gained from. */
const SAME_URL = `receivers.url_digest = sha256(convert_to(clients.webhook_url, 'UTF8'))`;
const OF = (clientId: string): string =>
  `receivers JOIN clients ON clients.id = receivers.client_id WHERE receivers.client_id = ${clientId}`;
const OF_EVENT = OF('events.client_id');

/** In a statement about `events`: true while the event's receiver rests. */
export const RESTING = `EXISTS (SELECT FROM ${OF_EVENT} AND resting_until > now() AND ${SAME_URL})`;

/** How long to wait for the end of the rest, and a little longer, so that not all come at once. NULL if it does not rest. */
const TO_REST = `ceil(extract(epoch FROM resting_until - now()) * (1 + ${REST.jitter} * random()))::int AS seconds`;
export const REST_SECONDS = `(SELECT ${TO_REST} FROM ${OF_EVENT} AND resting_until > now() AND ${SAME_URL})`;
const SECONDS_TO_REST = `SELECT ${TO_REST} FROM ${OF('$1')} AND resting_until > now() AND ${SAME_URL}`;

/** rested: one attempt probes it now. failing: the last attempt failed, and the next one is made as ever. NULL: all is well. */
export const RECEIVER_STATE = `(
  SELECT CASE WHEN resting_until IS NOT NULL AND ${SAME_URL} THEN 'rested' ELSE 'failing' END FROM ${OF_EVENT})`;

/** Somebody looks meanwhile: should it still fail, it rests as long as before, and no longer. */
const END_REST = `UPDATE receivers SET resting_until = now(), rests = greatest(rests - 1, 0)
  WHERE client_id = $1 AND resting_until > now()`;

const BEGIN_PROBE = `
  UPDATE receivers SET resting_until = now() + $2::float8 * interval '1 second'
  WHERE client_id = $1 AND resting_until <= now()`;

const SAME = 'known.url_digest = excluded.url_digest';
/** Attempts that were under way when the rest began do not make it longer: only the probe does. */
const RESTS_NOW = `($6 OR (known.resting_until IS NULL AND known.consecutive_failures + 1 >= $7))`;
const REST_LENGTH = `least($8::int * 2.0 ^ least(known.rests, 20), $9::int) * interval '1 second'`;

const FAILED = `
  INSERT INTO receivers AS known (client_id, host, url_digest, consecutive_failures, last_status_code, last_error)
  VALUES ($1, $2, $3, 1, $4::int, $5)
  ON CONFLICT (client_id) DO UPDATE SET
    host = excluded.host,
    url_digest = excluded.url_digest,
    last_status_code = excluded.last_status_code,
    last_error = excluded.last_error,
    consecutive_failures = CASE WHEN ${SAME} THEN known.consecutive_failures + 1 ELSE 1 END,
    failing_since = CASE WHEN ${SAME} THEN known.failing_since ELSE now() END,
    rests = CASE WHEN NOT ${SAME} THEN 0 WHEN ${RESTS_NOW} THEN known.rests + 1 ELSE known.rests END,
    rested_at = CASE WHEN NOT ${SAME} THEN NULL WHEN ${RESTS_NOW} THEN now() ELSE known.rested_at END,
    resting_until = CASE WHEN NOT ${SAME} THEN NULL WHEN ${RESTS_NOW} THEN now() + ${REST_LENGTH} ELSE known.resting_until END
  RETURNING consecutive_failures, rests,
    CASE WHEN rested_at = now() THEN extract(epoch FROM resting_until - now())::int END AS rest_seconds`;

const IS_MOVED = `clients.id = receivers.client_id AND (clients.webhook_url IS NULL OR NOT ${SAME_URL})`;
const MOVED = `SELECT receivers.client_id FROM receivers JOIN clients ON ${IS_MOVED}`;
const FORGET_MOVED = `DELETE FROM receivers USING clients WHERE ${IS_MOVED} AND receivers.client_id = $1`;

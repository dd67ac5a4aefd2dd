/** The rows of mails. */
import { Injectable } from '@nestjs/common';
import { Db, lockName, madeBefore } from '#libs/db';
import type { Mail, MailGroup, MailLimit, MailStatus, NewMail } from '../mail';

export type MailRow = Omit<NewMail, 'link'> & Pick<Mail, 'id' | 'sealedLink' | 'byLink'>;
type WrittenMail = Pick<Mail, 'id' | 'clientId' | 'kind' | 'byLink' | 'status'>;

@Injectable()
export class MailStore {
  constructor(private readonly db: Db) {}

  /** Returns the ids of those whose cause had no mail yet. Past `room` they are written down and will not be sent. */
  async insert(mails: MailRow[], room: number): Promise<WrittenMail[]> {
    return this.db.rows(INSERT, [JSON.stringify(mails), room, 'CLIENT_IN_A_DAY' satisfies MailLimit]);
  }

  /**
   * How many of these a client caused in the last 24 hours. Until the transaction ends nobody else adds to them. What is counted
   * separately does not wait for that: a link may have to wait for its mailbox, which somebody else holds.
   */
  async countOf(clientId: string, { kinds, byLink }: MailGroup): Promise<number> {
    await lockName(this.db, `mails of ${clientId}: ${kinds.join()}, ${byLink}`);
    const row = await this.db.row<{ mails: number }>(
      `SELECT count(*)::int AS mails FROM mails
       WHERE client_id = $1 AND created_at > now() - interval '1 day' AND status <> 'limited'
         AND kind = ANY($2) AND by_link = $3`,
      [clientId, kinds, byLink],
    );
    return row?.mails ?? 0;
  }

  /** How many of these were let go to a mailbox. Until the transaction ends nobody else lets one go. */
  async allowedTo(mailbox: string, clientId: string, { kinds, byLink }: MailGroup): Promise<Allowed> {
    await lockName(this.db, `mails to ${mailbox}`);
    const row = await this.db.row<Allowed>(ALLOWED, [mailbox, clientId, kinds, byLink]);
    return row ?? { inAnHour: 0, inADay: 0, ofTheClient: 0 };
  }

  async allow(id: string, mailbox: string): Promise<void> {
    await this.db.execute('UPDATE mails SET allowed_at = clock_timestamp(), mailbox = $2 WHERE id = $1', [id, mailbox]);
  }

  /** A mail ends once: whoever sent it a second time finds it ended. Its link is kept on only if somebody may still read it here. */
  async end(id: string, status: Exclude<MailStatus, 'queued'>, lastError: string | null = null): Promise<void> {
    await this.db.execute(
      `UPDATE mails SET status = $2, last_error = coalesce($3, last_error), ended_at = now(),
         sealed_link = CASE WHEN $2 = 'kept' THEN sealed_link END
       WHERE id = $1 AND status = 'queued'`,
      [id, status, lastError],
    );
  }

  /** Until the transaction ends nobody else ends it, or has it sent. */
  lock(id: string): Promise<Mail | null> {
    return this.db.row<Mail>('SELECT * FROM mails WHERE id = $1 FOR UPDATE', [id]);
  }

  /** Once more from the beginning. An operator decided it, so no limit holds it. */
  async requeue(id: string, mailbox: string): Promise<void> {
    await this.db.execute(
      `UPDATE mails SET status = 'queued', last_error = NULL, ended_at = NULL,
         allowed_at = coalesce(allowed_at, clock_timestamp()), mailbox = coalesce(mailbox, $2) WHERE id = $1`,
      [id, mailbox],
    );
  }

  /** Unless it was sent, or sealed anew, meanwhile. */
  async reseal(id: string, from: string, to: string): Promise<boolean> {
    const sql = 'UPDATE mails SET sealed_link = $3 WHERE id = $1 AND sealed_link = $2';
    return (await this.db.execute(sql, [id, from, to])) > 0;
  }

  async clear(): Promise<void> {
    await this.db.execute("DELETE FROM mails WHERE status <> 'queued'");
  }

  /** So many at most of those that were made so long ago, and that nobody sends any more. */
  forget(days: number, most: number): Promise<number> {
    return this.db.execute(
      `DELETE FROM mails WHERE id IN
         (SELECT id FROM mails WHERE id < ${madeBefore('$1')} AND status <> 'queued' ORDER BY id LIMIT $2)`,
      [days, most],
    );
  }

  async note(id: string, lastError: string): Promise<void> {
    await this.db.execute('UPDATE mails SET last_error = $2 WHERE id = $1', [id, lastError]);
  }
}

/** Mails that were let go. */
export interface Allowed {
  inAnHour: number;
  inADay: number;
  /** In a day as well. */
  ofTheClient: number;
}

const ALLOWED = `
  SELECT count(*)::int AS in_a_day,
    count(*) FILTER (WHERE allowed_at > now() - interval '1 hour')::int AS in_an_hour,
    count(*) FILTER (WHERE client_id = $2)::int AS of_the_client
  FROM mails WHERE mailbox = $1 AND allowed_at > now() - interval '1 day' AND kind = ANY($3) AND by_link = $4`;

const INSERT = `
  INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, by_link, sealed_link, status, last_error, ended_at)
  SELECT id, "clientId", kind, cause, "to", subject, "text", html, "byLink",
    CASE WHEN place <= $2 THEN "sealedLink" END,
    CASE WHEN place <= $2 THEN 'queued' ELSE 'limited' END,
    CASE WHEN place <= $2 THEN NULL ELSE $3 END,
    CASE WHEN place <= $2 THEN NULL ELSE now() END
  FROM (
    SELECT *, row_number() OVER (ORDER BY kind, cause) AS place
    FROM json_to_recordset($1::json) AS t (id uuid, "clientId" uuid, kind text, cause text, "to" text, subject text,
      "text" text, html text, "byLink" boolean, "sealedLink" text)
    WHERE NOT EXISTS (SELECT FROM mails AS known WHERE known.kind = t.kind AND known.cause = t.cause)
  ) AS new
  ORDER BY kind, cause ON CONFLICT (kind, cause) DO NOTHING RETURNING id, client_id, kind, by_link, status`;

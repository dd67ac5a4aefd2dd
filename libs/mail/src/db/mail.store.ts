/** The rows of mails. */
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import { Db } from '#libs/db';
import type { MailStatus, NewMail } from '../mail';

@Injectable()
export class MailStore {
  constructor(private readonly db: Db) {}

  /** Answers the ids of those whose cause had no mail yet. */
  async insert(mails: NewMail[]): Promise<{ id: string; clientId: string }[]> {
    const records = mails.map((mail) => ({ ...mail, id: newId() }));
    return this.db.rows(INSERT, [JSON.stringify(records)]);
  }

  /** A mail ends once: whoever sent it a second time finds it ended. */
  async end(id: string, status: Exclude<MailStatus, 'queued'>, lastError: string | null = null): Promise<void> {
    await this.db.execute(
      `UPDATE mails SET status = $2, last_error = coalesce($3, last_error), ended_at = now()
       WHERE id = $1 AND status = 'queued'`,
      [id, status, lastError],
    );
  }

  async note(id: string, lastError: string): Promise<void> {
    await this.db.execute('UPDATE mails SET last_error = $2 WHERE id = $1', [id, lastError]);
  }
}

const INSERT = `
  INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, status)
  SELECT id, "clientId", kind, cause, "to", subject, "text", html, 'queued'
  FROM json_to_recordset($1::json) AS t (id uuid, "clientId" uuid, kind text, cause text, "to" text, subject text,
    "text" text, html text)
  ORDER BY kind, cause ON CONFLICT (kind, cause) DO NOTHING RETURNING id, client_id`;

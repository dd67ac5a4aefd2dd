/** How mails are read. */
import { Injectable } from '@nestjs/common';
import type { ListPlace } from '#libs/domain';
import { Db, isAfterPlace } from '#libs/db';
import type { Mail, MailKind, MailStatus } from '../mail';

export interface MailFilter {
  clientId?: string;
  status?: MailStatus;
  kind?: MailKind;
  /** In any case. */
  to?: string;
}

export interface QueuedMail extends Pick<Mail, 'id' | 'clientId' | 'kind' | 'byLink'> {
  hasJob: boolean;
}

@Injectable()
export class MailReads {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<Mail | null> {
    return this.db.row<Mail>('SELECT * FROM mails WHERE id = $1', [id]);
  }

  /** So many at most that wait to be sent, after that id: whether each has a job. */
  queued(after: string | null, limit: number): Promise<QueuedMail[]> {
    return this.db.rows<QueuedMail>(
      `SELECT id, client_id, kind, by_link, EXISTS (SELECT FROM jobs WHERE name = 'mail.send' AND entity_id = mails.id) AS has_job FROM mails
       WHERE status = 'queued' AND id > coalesce($1::uuid, lpad('', 32, '0')::uuid) ORDER BY id LIMIT $2`,
      [after, limit],
    );
  }

  /** So many at most that have a link, after that id. */
  withLinks(after: string | null, limit: number): Promise<{ id: string; sealedLink: string }[]> {
    return this.db.rows(
      `SELECT id, sealed_link FROM mails
       WHERE sealed_link IS NOT NULL AND id > coalesce($1::uuid, lpad('', 32, '0')::uuid) ORDER BY id LIMIT $2`,
      [after, limit],
    );
  }

  /** Those whose address or subject contains it, in any case. */
  newest(limit: number, wanted = ''): Promise<Mail[]> {
    return this.db.rows<Mail>(
      `SELECT * FROM mails WHERE position(lower($2) IN lower(to_address || ' ' || subject)) > 0
       ORDER BY created_at DESC, id DESC LIMIT $1`,
      [limit, wanted],
    );
  }

  /** The newest first. One row more than asked for tells that there is a next page. */
  list(
    { clientId, status, kind, to }: MailFilter,
    after: ListPlace | null,
    limit: number,
  ): Promise<(Mail & ListPlace)[]> {
    const values: unknown[] = [];
    const value = (item: unknown): string => `$${values.push(item)}`;
    const conditions = [
      clientId && `client_id = ${value(clientId)}::uuid`,
      status && `status = ${value(status)}`,
      kind && `kind = ${value(kind)}`,
      to && `lower(to_address) = lower(${value(to)})`,
      after && isAfterPlace({ table: 'mails' }, value(after.createdUs), value(after.id)),
    ].filter(Boolean);
    const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
    return this.db.rows<Mail & ListPlace>(
      `SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM mails ${where}
       ORDER BY mails.created_at DESC, mails.id DESC LIMIT ${value(limit + 1)}`,
      values,
    );
  }
}

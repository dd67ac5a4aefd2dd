/** Payees of all clients, as an operator finds them who has somebody at the phone. */
import { Injectable } from '@nestjs/common';
import { boundedPage, Db, isAfterPlace } from '#libs/db';
import type { ListPlace, PageRow } from '#libs/domain';
import type { Payee } from '../payee';

export interface PayeeSearch {
  clientId?: string;
  email?: string;
  externalId?: string;
  /** How an address, a word of a name or an id of the caller's begins, in any case. */
  q?: string;
}

@Injectable()
export class PayeeSearchReads {
  constructor(private readonly db: Db) {}

  one(id: string): Promise<Payee | null> {
    return this.db.row<Payee>('SELECT * FROM payees WHERE id = $1', [id]);
  }

  /** Newest first. */
  find(wanted: PayeeSearch, after: ListPlace | null, limit: number): Promise<(Payee & PageRow)[]> {
    const values: unknown[] = [];
    const value = (item: unknown): string => `$${values.push(item)}`;
    const begins = wanted.q === undefined ? null : value(`${likeText(wanted.q.toLowerCase())}%`);
    const conditions = [
      wanted.clientId && `client_id = ${value(wanted.clientId)}::uuid`,
      wanted.email && `email = ${value(wanted.email)}`,
      wanted.externalId && `external_id = ${value(wanted.externalId)}`,
      begins &&
        `(email LIKE ${begins} OR lower(name) LIKE ${begins} OR lower(external_id) LIKE ${begins}
          OR to_tsvector('simple', ${NAME}) @@ to_tsquery('simple', ${value(beginsWord(wanted.q ?? ''))}))`,
      after && isAfterPlace({ table: 'payees' }, value(after.createdUs), value(after.id)),
    ].filter(Boolean);
    const page = `
      SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM payees
      ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
      ORDER BY created_at DESC, id DESC LIMIT ${value(limit + 1)}`;
    return this.db.rows(boundedPage(page, '1000 + octet_length(page.metadata::text)'), values);
  }
}

/** As in its index. With its punctuation PostgreSQL takes Dr.Lovelace for the name of a host, which is one word. */
const NAME = String.raw`translate(coalesce(name, ''), '!"#$%&''()*+,-./:;<=>?@[\]^_{|}~' || chr(96), repeat(' ', 32))`;

/** Words that follow each other in a name, each as far as it was said. */
const beginsWord = (text: string): string => `'${text.replace(/[!-/:-@[-`{-~]/g, ' ')}':*`;

/** Of what is searched for nothing is a pattern. */
const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

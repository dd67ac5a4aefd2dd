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
          OR to_tsvector('simple', ${WORDS}) @@ to_tsquery('simple', ${beginsWord(`${value(wanted.q)}::text`)}))`,
      after && isAfterPlace({ table: 'payees' }, value(after.createdUs), value(after.id)),
    ].filter(Boolean);
    const page = `
      SELECT *, (extract(epoch FROM created_at) * 1000000)::bigint::text AS created_us FROM payees
      ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
      ORDER BY created_at DESC, id DESC LIMIT ${value(limit + 1)}`;
    return this.db.rows(boundedPage(page, '1000 + octet_length(page.metadata::text)'), values);
  }
}

/** Nobody at the phone spells accents. Of ł and the like none can be taken off: a plain letter stands for each. */
const folded = (text: string): string =>
  String.raw`replace(regexp_replace(normalize(lower(${text}), NFKD), '[\u0300-\u036f]', '', 'g'), 'ß', 'ss')`;
/** With its punctuation PostgreSQL takes Dr.Lovelace for the name of a host, which is one word. */
const parted = (text: string): string =>
  String.raw`translate(${text}, 'øłđı!"#$%&()*+,-./:;<=>?@[\]^_{|}~' || chr(96), 'oldi' || repeat(' ', 31))`;
const withApostrophes = (text: string, as: string): string =>
  parted(String.raw`regexp_replace(${folded(text)}, '[''’‘ʼ]', '${as}', 'g')`);

const NAME = `coalesce(name, '')`;
/** As in its index: obrien and brien both find O'Brien. The word between keeps the end of the one from the beginning of the other. */
const WORDS = `${withApostrophes(NAME, '')}
  || CASE WHEN name ~ '[''’‘ʼ]' THEN ' apostrophe ' || ${withApostrophes(NAME, ' ')} ELSE '' END`;

/** Words that follow each other in a name, each as far as it was said. No quote is left in them, and none at all are a blank. */
const beginsWord = (text: string): string => `''' ' || ${withApostrophes(text, '')} || ''':*'`;

/** Of what is searched for nothing is a pattern. */
const likeText = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

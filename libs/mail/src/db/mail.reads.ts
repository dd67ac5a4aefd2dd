/** How mails are read. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import type { Mail } from '../mail';

@Injectable()
export class MailReads {
  constructor(private readonly db: Db) {}

  find(id: string): Promise<Mail | null> {
    return this.db.row<Mail>('SELECT * FROM mails WHERE id = $1', [id]);
  }

  newest(limit: number): Promise<Mail[]> {
    return this.db.rows<Mail>('SELECT * FROM mails ORDER BY created_at DESC, id DESC LIMIT $1', [limit]);
  }
}

/** A developer begins with an empty mailbox: what waits to be sent stays. */
import { Injectable } from '@nestjs/common';
import { MailStore } from '../db/mail.store';

@Injectable()
export class ClearMailbox {
  constructor(private readonly store: MailStore) {}

  run(): Promise<void> {
    return this.store.clear();
  }
}

/** Links of mails that wait, or are kept, are sealed anew with the first master key, as other secrets are: the one before may be taken away then. */
import { Injectable } from '@nestjs/common';
import { MailReads } from '../db/mail.reads';
import { MailStore } from '../db/mail.store';
import { MailLinks } from '../mail-links';

const PAGE = 100;

@Injectable()
export class ResealLinks {
  constructor(
    private readonly reads: MailReads,
    private readonly store: MailStore,
    private readonly links: MailLinks,
  ) {}

  /** Can be stopped and run again at any time. */
  async run(): Promise<{ checked: number; rewrapped: number }> {
    const done = { checked: 0, rewrapped: 0 };
    let page = await this.reads.withLinks(null, PAGE);
    while (page.length > 0) {
      for (const { id, sealedLink } of page) {
        done.checked += 1;
        const anew = this.links.resealed(sealedLink, id);
        if (anew !== null && (await this.store.reseal(id, sealedLink, anew))) done.rewrapped += 1;
      }
      page = await this.reads.withLinks(page.at(-1)?.id ?? null, PAGE);
    }
    return done;
  }
}

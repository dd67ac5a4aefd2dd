import { Injectable } from '@nestjs/common';
import { PageLinkStore } from '../db/page-link.store';

const PORTION = 10_000;

@Injectable()
export class ForgetLinks {
  constructor(private readonly links: PageLinkStore) {}

  /** All of them, be it more than one statement could forget in its time. */
  async run(signal: AbortSignal): Promise<void> {
    let forgotten = PORTION;
    while (forgotten === PORTION && !signal.aborted) forgotten = await this.links.forgetExpired(PORTION);
  }
}

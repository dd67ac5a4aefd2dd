import { Injectable } from '@nestjs/common';
import { PageLinkStore } from '../db/page-link.store';
import { PortalAccess } from '../db/portal-access.store';

const PORTION = 10_000;

@Injectable()
export class ForgetLinks {
  constructor(
    private readonly links: PageLinkStore,
    private readonly sessions: PortalAccess,
  ) {}

  /** All of them, be it more than one statement could forget in its time. */
  async run(signal: AbortSignal): Promise<void> {
    for (const store of [this.links, this.sessions]) {
      let forgotten = PORTION;
      while (forgotten === PORTION && !signal.aborted) forgotten = await store.forgetExpired(PORTION);
    }
  }
}

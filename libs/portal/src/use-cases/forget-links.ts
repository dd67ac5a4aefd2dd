import { Injectable } from '@nestjs/common';
import { PageLinkStore } from '../db/page-link.store';
import { PortalAccess } from '../db/portal-access.store';

@Injectable()
export class ForgetLinks {
  constructor(
    private readonly links: PageLinkStore,
    private readonly sessions: PortalAccess,
  ) {}

  async run(): Promise<void> {
    await this.links.forgetExpired();
    await this.sessions.forgetExpired();
  }
}

import { Injectable } from '@nestjs/common';
import { PageLinkStore } from '../db/page-link.store';

@Injectable()
export class ForgetLinks {
  constructor(private readonly links: PageLinkStore) {}

  run(): Promise<void> {
    return this.links.forgetExpired();
  }
}

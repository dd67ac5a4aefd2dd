/** A link that is over opens nothing. */
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { SingleRunner } from '#libs/db';
import { log } from '#libs/telemetry';
import { ForgetLinks } from '../use-cases/forget-links';

@Injectable()
export class ForgetPageLinks {
  constructor(
    private readonly links: ForgetLinks,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(60_000)
  async run(): Promise<void> {
    await this.runner
      .run('forget-page-links', (signal) => this.links.run(signal))
      .catch((error: Error) =>
        log.warn({ event: 'pages.not_tidied', error: error.message }, 'tried again in a minute'),
      );
  }
}

/** Which notices came is known for as long as this deployment says: no provider repeats one after that. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { NoticeStore } from '../db/notice.store';

const PORTION = 10_000;

@Injectable()
export class ForgetOldNotices {
  constructor(
    private readonly notices: NoticeStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'noticesKeptDays'>,
  ) {}

  async run(signal: AbortSignal): Promise<void> {
    let forgotten = PORTION;
    while (forgotten === PORTION && !signal.aborted)
      forgotten = await this.notices.forget(this.config.noticesKeptDays, PORTION);
  }
}

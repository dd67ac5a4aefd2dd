/**
 * A provider calls us. What it sends is a hint which payouts to look up: at once, or soon if it repeats itself. The truth
 * is read from the rail.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Db } from '#libs/db';
import { PayoutReads, PayoutJobs } from '#libs/payouts';
import { readsNotices } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { log } from '#libs/telemetry';
import { NoticeStore } from '../db/notice.store';

/** No provider has more to say at once; what it left out is found by asking. */
const MOST_KEYS = 5_000;
/** A notice that is repeated may mean that we missed something; nobody makes us ask more often by it. */
const AFTER_A_REPEAT_SECONDS = 60;

export interface Notice {
  headers: Record<string, string>;
  body: Buffer;
}

@Injectable()
export class ReceiveNotice {
  constructor(
    private readonly rails: Rails,
    private readonly db: Db,
    private readonly notices: NoticeStore,
    private readonly reads: PayoutReads,
    private readonly jobs: PayoutJobs,
  ) {}

  async run(railName: string, notice: Notice): Promise<void> {
    const rail = this.rails.find(railName)?.rail;
    if (!rail || !readsNotices(rail)) throw new Refusal('not_found', 'No rail of this name takes notices.');
    const reading = await rail.readNotice(notice).catch((error: Error) => {
      log.warn({ event: 'notice.unreadable', rail: railName, error: error.message }, 'a notice could not be read');
      throw new Refusal('invalid_request', 'The notice cannot be read.');
    });
    if (reading.kind === 'forged') throw new Refusal('invalid_signature', 'The notice is not signed by the provider.');
    const { noticeId, railKeys } = reading;
    if (railKeys.length > MOST_KEYS || ![noticeId, ...railKeys].every(isCode))
      throw new Refusal('invalid_request', 'The notice names what cannot be a code, or too much at once.');
    await this.db.inTransaction(async () => {
      const isNew = await this.notices.isNew(railName, noticeId);
      // All at once, and so in one order: notices overlap, and each names payouts in an order of its own.
      const named = await this.reads.ofRailKeys(railName, [...new Set(railKeys)]);
      await this.jobs.lookAll(named, isNew ? 0 : AFTER_A_REPEAT_SECONDS);
    });
  }
}

/** What PostgreSQL could not look for; a provider that is told of trouble here would repeat it for ever. */
const isCode = (text: string): boolean =>
  text.length >= 1 && text.length <= 255 && !/[\0-\x1f\p{Surrogate}]/u.test(text);

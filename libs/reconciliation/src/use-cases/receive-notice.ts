/**
 * A provider calls us. Its notice is a hint which payouts and accounts to ask about: at once, or soon if it repeats itself. The truth is
 * read from the rail.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Db, troubleOf } from '#libs/db';
import { HearOfAccounts } from '#libs/payees';
import type { Notice, NoticeReading } from '#libs/rail-kit';
import { RailCaller } from '#libs/rail-registry';
import { log } from '#libs/telemetry';
import { NoticeStore } from '../db/notice.store';
import { HearOfPayouts } from './hear-of-payouts';

/** No provider has more to say at once; what it left out is found by asking. */
const MOST_NAMES = 5_000;
/** A notice that is repeated may mean that we missed something; nobody makes us ask more often by it. */
const AFTER_A_REPEAT_SECONDS = 60;

@Injectable()
export class ReceiveNotice {
  constructor(
    private readonly rails: RailCaller,
    private readonly db: Db,
    private readonly notices: NoticeStore,
    private readonly payouts: HearOfPayouts,
    private readonly accounts: HearOfAccounts,
  ) {}

  async run(railName: string, notice: Notice): Promise<void> {
    const { noticeId, railKeys, accountIds = [] } = await this.read(railName, notice);
    const names = [...railKeys, ...accountIds];
    if (names.length > MOST_NAMES || ![noticeId, ...names].every(isCode))
      throw new Refusal('invalid_request', 'The notice names what cannot be a code, or too much at once.');
    await this.db.inTransaction(async () => {
      const inSeconds = (await this.notices.isNew(railName, noticeId)) ? 0 : AFTER_A_REPEAT_SECONDS;
      await this.payouts.named(railName, railKeys, inSeconds);
      await this.accounts.named(railName, accountIds, inSeconds);
    });
  }

  refuseOthers(railName: string): void {
    if (!this.rails.takesNotices(railName)) throw new Refusal('not_found', 'No rail of this name takes notices.');
  }

  /** The provider sends again what was not taken. */
  private async read(railName: string, notice: Notice): Promise<Extract<NoticeReading, { kind: 'hints' }>> {
    this.refuseOthers(railName);
    const reading = await this.rails.readNotice(railName, notice).catch((error: Error) => {
      const trouble = troubleOf(error);
      if (trouble) throw trouble;
      log.warn({ event: 'notice.unreadable', rail: railName, error: error.message }, 'a notice could not be read');
      throw new Refusal('invalid_request', 'The notice cannot be read.');
    });
    if (reading.kind === 'forged') throw new Refusal('invalid_signature', 'The notice is not signed by the provider.');
    if (reading.kind === 'hints') return reading;
    log.warn({ event: 'notice.not_read', rail: railName, error: reading.detail }, 'a notice was not read in time');
    throw new Refusal('service_unavailable', 'The notice could not be read in time. Send it again.');
  }
}

/** PostgreSQL can look for it. If it cannot, that is no error to the provider, which would repeat its notice forever. */
const isCode = (text: string): boolean =>
  text.length >= 1 && text.length <= 255 && !/[\0-\x1f\p{Surrogate}]/u.test(text);

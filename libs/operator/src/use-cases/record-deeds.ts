/**
 * How a deed of an operator comes into the audit log: in its own transaction; or, if it is more than one transaction
 * because rails are asked or there is much to do, with the intent before and the outcome after. What was refused says so.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import { Db } from '#libs/db';
import { type AuditEntry, AuditStore } from '../db/audit.store';

/** The deed as the log names it, in each of its tenses. */
export interface Deed {
  asked: string;
  done: string;
  refused: string;
}

export const deedOf = (thing: string, infinitive: string, done: string): Deed => ({
  asked: `${thing}.${infinitive}_asked`,
  done: `${thing}.${done}`,
  refused: `${thing}.${infinitive}_refused`,
});

type Line = Omit<AuditEntry, 'action' | 'after'>;

@Injectable()
export class RecordDeeds {
  constructor(
    private readonly db: Db,
    private readonly audit: AuditStore,
  ) {}

  /** A deed that is one transaction. `ask`: a question to a rail before it, which may be against it. */
  async atOnce<T>(
    deed: Deed,
    line: Line,
    work: () => Promise<T>,
    after: (result: T) => unknown,
    ask?: () => Promise<void>,
  ): Promise<T> {
    if (ask) await this.audit.add({ ...line, action: deed.asked });
    return this.orRefused(deed, line, async () => {
      await ask?.();
      return this.db.inTransaction(async () => {
        const result = await work();
        await this.audit.add({ ...line, action: deed.done, after: after(result) });
        return result;
      });
    });
  }

  /** A deed that is more than one: an intent that no outcome follows was cut short. */
  async inSteps<T>(deed: Deed, line: Line, work: () => Promise<T>, after: (result: T) => unknown): Promise<T> {
    await this.audit.add({ ...line, action: deed.asked });
    return this.orRefused(deed, line, async () => {
      const result = await work();
      await this.audit.add({ ...line, action: deed.done, after: after(result) });
      return result;
    });
  }

  /** A deed that writes its own line: what was refused has one all the same. */
  async orRefused<T>(deed: Pick<Deed, 'refused'>, line: Line, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal)
        await this.audit.add({ ...line, action: deed.refused, after: { error: error.code, message: error.message } });
      throw error;
    }
  }
}

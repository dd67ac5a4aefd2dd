/** An operator's changes to rails, with their lines in the audit log. */
import { Injectable } from '@nestjs/common';
import { Db } from '#libs/db';
import { Refusal } from '#libs/domain';
import { RailLists } from '#libs/drift';
import { type BoundAccount, RailIdentity } from '#libs/rail-registry';
import { AuditStore } from '../db/audit.store';
import { deedOf, RecordDeeds } from './record-deeds';

const REBIND = deedOf('rail', 'rebind', 'rebound');
const COMPARE = deedOf('rail', 'compare', 'compared');

type Account = Pick<BoundAccount, 'account' | 'mode'>;

/** `seen`: since when it is waited for, as somebody read it before they compared. */
interface ReadRail {
  name: string;
  seen: Date | null;
}

const SINCE_ANOTHER_TIME =
  'The rail is not waited for since that time: look at `awaitedSince` again. If the database went back once more, compare what was paid since.';

@Injectable()
export class RailDeeds {
  constructor(
    private readonly db: Db,
    private readonly identity: RailIdentity,
    private readonly audit: AuditStore,
    private readonly deeds: RecordDeeds,
    private readonly lists: RailLists,
  ) {}

  /** `check`: whether it is to be compared with by hand, and whether it lists what it moves. Returns since when that was waited for; null: it was not. */
  compared(actor: string, { name, seen }: ReadRail, check: () => Promise<{ lists: boolean }>): Promise<Date | null> {
    const after = (awaitedSince: Date | null): object => ({ awaitedSince });
    const work = async (): Promise<Date | null> => {
      const { lists } = await check();
      const since = await this.lists.comparedByHand(name, seen, lists);
      if (since === null && seen !== null) throw new Refusal('illegal_transition', SINCE_ANOTHER_TIME);
      return since;
    };
    return this.deeds.atOnce(COMPARE, { actor, target: name }, work, after);
  }

  awaitsAccountOfBefore(rail: string): Promise<boolean> {
    return this.lists.awaitsAccountOfBefore(rail);
  }

  everListed(rail: string): Promise<boolean> {
    return this.lists.everListed(rail);
  }

  /** `speaksTo`: whose credentials it has, as its provider says just then; that may be against it. */
  async rebound(actor: string, rail: string, speaksTo: () => Promise<Account>): Promise<BoundAccount> {
    const line = { actor, target: rail };
    await this.audit.add({ ...line, action: REBIND.asked });
    return this.deeds.orRefused(REBIND, line, async () => {
      const { account, mode } = await speaksTo();
      return this.db.inTransaction(async () => {
        const before = await this.identity.bound(rail);
        const after = { account, mode, boundAt: new Date(Math.floor((await this.db.startedUs) / 1000)) };
        // The line comes first: nothing may stand between the new account and the commit.
        await this.audit.add({ ...line, action: REBIND.done, before, after });
        await this.identity.rebind(rail, after);
        return after;
      });
    });
  }
}

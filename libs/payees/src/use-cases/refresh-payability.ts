/**
 * Asks rails about the accounts they were not asked about for a while: some rails never call back when a payee becomes
 * payable, or stops being so. Whatever the rail cannot tell now stays as it is known.
 */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { apart } from '#libs/db';
import { Rails } from '#libs/rail-registry';
import { MethodStore } from '../db/method.store';
import type { Method } from '../payee';
import { ReadAccount } from './read-account';

interface Refreshed {
  asked: number;
  changed: number;
}

/** Of those that are payable, and as many of the others: each has places of its own. */
const AT_A_TIME = 500;
/** Of one rail. */
const AT_ONCE = 4;

@Injectable()
export class RefreshPayability {
  constructor(
    private readonly methods: MethodStore,
    private readonly registered: Rails,
    private readonly clients: ClientRegistry,
    private readonly accounts: ReadAccount,
  ) {}

  /** That can be asked about accounts. */
  rails(): string[] {
    return this.registered.all().flatMap(({ definition, rail }) => (rail ? definition.name : []));
  }

  /** Now, also about those accounts that a rail was asked about a moment ago. */
  async ofAll(): Promise<Refreshed> {
    const sums = await Promise.all(this.rails().map((rail) => this.ofRail(rail, { evenRecent: true })));
    const none = { asked: 0, changed: 0 };
    return sums.reduce(
      (sum, { asked, changed }) => ({ asked: sum.asked + asked, changed: sum.changed + changed }),
      none,
    );
  }

  /** Stops early if it is told that another process is at it. */
  async ofRail(
    rail: string,
    { evenRecent = false, signal }: { evenRecent?: boolean; signal?: AbortSignal } = {},
  ): Promise<Refreshed> {
    const sum = { asked: 0, changed: 0 };
    const due = (await this.methods.due(rail, AT_A_TIME, evenRecent)).values();
    const each = async (): Promise<void> => {
      for (const method of due) {
        if (signal?.aborted) return;
        sum.asked += 1;
        const { payeeId } = method;
        if (await apart({ event: 'payee.not_refreshed', payeeId }, () => this.refresh(method))) sum.changed += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, each));
    return sum;
  }

  private async refresh(method: Method): Promise<boolean> {
    await this.methods.checked(method.id);
    const known = await this.clients.byId(method.clientId);
    return known !== null && (await this.accounts.run(known.client, method)) === 'changed';
  }
}

/** A provider named accounts: those that somebody is paid over are asked about soon, each by one job, however often it is named. */
import { Injectable } from '@nestjs/common';
import { Jobs } from '#libs/jobs';
import { MethodStore } from '../db/method.store';

@Injectable()
export class HearOfAccounts {
  constructor(
    private readonly methods: MethodStore,
    private readonly jobs: Jobs,
  ) {}

  /** Part of the caller's transaction. Nothing comes of accounts that nobody knows. */
  async named(provider: string, accountIds: string[], inSeconds: number): Promise<void> {
    if (accountIds.length === 0) return;
    const known = await this.methods.active(provider, [...new Set(accountIds)]);
    await this.jobs.add(
      known.map(({ id, clientId }) => ({
        ...{ name: 'payees.read_account' as const, entityId: id, lane: provider, owner: clientId },
        delaySeconds: inSeconds,
      })),
    );
  }
}

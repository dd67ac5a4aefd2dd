/**
 * Opens an account for a payee at the rail that would pay them, and makes it the one they are paid over. The key is kept before the rail
 * is asked, outside of any transaction: after a crash, or a lost answer, the same key is asked again and finds the same account. So two
 * requests that cross need no lease: each answer is written once.
 */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import type { OpeningAnswer } from '#libs/rail-kit';
import { AccountCaller } from '#libs/rail-registry';
import { log } from '#libs/telemetry';
import { type AccountOpening, OpeningStore } from '../db/opening.store';
import { BeginOpening } from './begin-opening';
import { LinkAccount, type Linked } from './link-account';
import { ReadAccount } from './read-account';

/** later: nobody knows yet, or not now. Whoever asks again comes to the same account. */
export type Opened =
  ({ kind: 'account' } & Linked) | { kind: 'refused'; reason: string } | { kind: 'later'; detail: string };

const LONGEST_REASON = 500;

@Injectable()
export class OpenAccount {
  constructor(
    private readonly begin: BeginOpening,
    private readonly openings: OpeningStore,
    private readonly caller: AccountCaller,
    private readonly accounts: ReadAccount,
    private readonly links: LinkAccount,
  ) {}

  async run(client: Client, payeeId: string): Promise<Opened> {
    const begun = await this.begin.run(client, payeeId);
    if (begun.kind !== 'opening') return begun;
    const { accountId } = begun.opening;
    return accountId === null ? this.ask(client, begun.opening) : this.link(client, begun.opening, accountId);
  }

  private async ask(client: Client, opening: AccountOpening): Promise<Opened> {
    const { provider, key, asked } = opening;
    const answer = await this.caller.open(provider, { key, payee: asked });
    const heard = await this.written(opening, answer);
    if (heard === null) return later(answer);
    if (heard.accountId !== null) return this.link(client, opening, heard.accountId);
    return { kind: 'refused', reason: heard.refusal ?? 'refused' };
  }

  /** As it stands by then, because another request may have heard first. null: nothing is decided. */
  private async written(opening: AccountOpening, answer: OpeningAnswer): Promise<AccountOpening | null> {
    if (answer.kind === 'refused' && answer.failure === 'permanent')
      return this.openings.refused(opening.id, [...answer.reason].slice(0, LONGEST_REASON).join(''));
    if (answer.kind !== 'opened') return null;
    const kept = await this.openings.opened(opening.id, answer.accountId);
    if (kept?.accountId !== answer.accountId)
      log.error(
        { event: 'account.opened_twice', rail: opening.provider, openingId: opening.id },
        'the rail opened an account for a key that is over, or opened another one for',
      );
    return kept;
  }

  /** Confirmed by reading it, as any account is: that it was opened says nothing of how it stands. */
  private async link(client: Client, { payeeId, provider, asked }: AccountOpening, accountId: string): Promise<Opened> {
    const named = { provider, providerAccountId: accountId };
    const confirmed = await this.accounts.confirmed(client, named);
    if (!confirmed) return { kind: 'later', detail: 'the account was opened, and cannot be read yet' };
    const only = { overOthers: false, openedFor: asked };
    return { kind: 'account', ...(await this.links.run(client, payeeId, named, confirmed, only)) };
  }
}

function later(answer: OpeningAnswer): Opened {
  if (answer.kind === 'refused') return { kind: 'later', detail: answer.reason };
  return { kind: 'later', detail: answer.kind === 'opened' ? 'it was refused before' : answer.detail };
}

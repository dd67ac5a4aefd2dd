/**
 * An account is three things at Adyen: a legal entity, an account holder, a balance account. None of the three calls has an idempotency
 * key, so each has a record that says who makes it. One that may have been made is looked for by its reference before it is made again.
 */
import { randomUUID } from 'node:crypto';
import type { AccountRequest, OpeningAnswer, RailCall, RailClock, RailStore } from '#libs/rail-kit';
import type { AdyenAnswer, AdyenClient } from './adyen.client';
import { codeOf, isAboutUs, notNow, unanswered, unmapped } from './custodial-b.mapping';
import { splitName } from './payee-name';
import { NEEDED } from './standing';

// A type and not an interface: only that is a record of the store.
type Step = {
  id: string | null;
  /** Who makes the call now, and since when; null once theirs was certainly not done. */
  by: string | null;
  at: string;
};

/** A call that was given up may still arrive at Adyen: so long nothing is made in its place. */
const MAY_ARRIVE_MS = 60_000;
const MOST_PAGES = 200;

type Found = { kind: 'found'; id: string } | { kind: 'none' } | Exclude<OpeningAnswer, { kind: 'opened' }>;
type Made = { kind: 'made'; id: string } | Exclude<OpeningAnswer, { kind: 'opened' }>;

interface Work {
  find(): Promise<Found>;
  make(): Promise<AdyenAnswer<{ id: string }>>;
}

interface OpeningParts {
  client: AdyenClient;
  store: RailStore;
  clock: RailClock;
  balancePlatform: string;
}

export class Opening {
  constructor(private readonly parts: OpeningParts) {}

  async open({ key, payee: { email, name, country } }: AccountRequest, call?: RailCall): Promise<OpeningAnswer> {
    const { client } = this.parts;
    const signal = call?.signal;
    const names = splitName(name);
    if (names === null || country === null) return refused('permanent', 'Adyen wants a name and a country');
    const individual = {
      ...{ name: names, residentialAddress: { country } },
      ...(email === null ? {} : { email }),
    };
    const entity = await this.step(`legal_entity:${key}`, {
      // Adyen lists none. One that nobody knows of holds no money, and nobody was asked for anything there.
      find: async () => ({ kind: 'none' }),
      make: () => client.newLegalEntity({ type: 'individual', reference: key, individual }, signal),
    });
    if (entity.kind !== 'made') return entity;
    const capabilities = Object.fromEntries(NEEDED.map((each) => [each, { requested: true }]));
    const holder = await this.step(`account_holder:${key}`, {
      find: () => this.holderBy(key, signal),
      make: () => client.newAccountHolder({ legalEntityId: entity.id, reference: key, capabilities }, signal),
    });
    if (holder.kind !== 'made') return holder;
    const account = await this.step(`balance_account:${key}`, {
      find: () => this.accountBy(holder.id, key, signal),
      make: () => client.newBalanceAccount({ accountHolderId: holder.id, reference: key }, signal),
    });
    return account.kind === 'made' ? { kind: 'opened', accountId: holder.id } : account;
  }

  private async step(key: string, work: Work): Promise<Made> {
    const { store, clock } = this.parts;
    const mine: Step = { id: null, by: randomUUID(), at: clock.latest().toISOString() };
    const known = await store.claim<Step>(key, mine);
    if (known.id !== null) return { kind: 'made', id: known.id };
    if (known.by === mine.by) return this.make(key, mine, work);
    const found = await work.find();
    if (found.kind === 'found') return this.made(key, found.id);
    if (found.kind !== 'none') return found;
    if (known.by !== null && this.mayStillArrive(known)) return { kind: 'unknown', detail: 'it may be made yet' };
    const now = await store.update<Step>(key, (each) => (each.by === known.by && each.id === null ? mine : each));
    if (now && now.id !== null) return { kind: 'made', id: now.id };
    return now?.by === mine.by ? this.make(key, mine, work) : { kind: 'unknown', detail: 'somebody else makes it' };
  }

  private async make(key: string, mine: Step, { make }: Work): Promise<Made> {
    const answer = await make();
    if (answer.kind === 'done') return this.made(key, answer.found.id);
    if (answer.kind === 'unclear') return unanswered(answer);
    // Adyen looked at it and did nothing: whoever comes next may start over, at once.
    await this.parts.store.update<Step>(key, (each) => (each.by === mine.by ? { ...each, by: null } : each));
    if (answer.kind === 'later') return notNow(answer.afterSeconds);
    const reason = `Adyen opened no account: ${codeOf(answer.problem)}`;
    if (isAboutUs(answer.status)) return refused('credentials', reason);
    return answer.status === 422 ? refused('permanent', reason) : unmapped('error', codeOf(answer.problem));
  }

  /** The first to write it decides which one it is. */
  private async made(key: string, id: string): Promise<Made> {
    const kept = await this.parts.store.update<Step>(key, (each) => ({ ...each, id: each.id ?? id }));
    return { kind: 'made', id: kept?.id ?? id };
  }

  private mayStillArrive({ at }: Step): boolean {
    return this.parts.clock.now().getTime() - Date.parse(at) < MAY_ARRIVE_MS;
  }

  /** Among all that the platform has: Adyen finds none by its reference. */
  private async holderBy(key: string, signal?: AbortSignal): Promise<Found> {
    const { client, balancePlatform } = this.parts;
    let offset = 0;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const answer = await client.accountHolders(balancePlatform, offset, signal);
      if (answer.kind !== 'done') return unanswered(answer);
      const { accountHolders, hasNext } = answer.found;
      const found = accountHolders.find(({ reference }) => reference === key);
      if (found) return { kind: 'found', id: found.id };
      if (!hasNext) return { kind: 'none' };
      if (accountHolders.length === 0) return NOT_ALL_LISTED;
      offset += accountHolders.length;
    }
    return { kind: 'unknown', detail: 'Adyen shows too many account holders to look for one of them' };
  }

  private async accountBy(holder: string, key: string, signal?: AbortSignal): Promise<Found> {
    const answer = await this.parts.client.balanceAccounts(holder, signal);
    if (answer.kind !== 'done') return unanswered(answer);
    const { balanceAccounts, hasNext } = answer.found;
    const theirs = balanceAccounts.filter(({ accountHolderId }) => accountHolderId === holder);
    const found = theirs.find(({ reference }) => reference === key);
    if (found) return { kind: 'found', id: found.id };
    return hasNext || theirs.length < balanceAccounts.length ? NOT_ALL_LISTED : { kind: 'none' };
  }
}

/** One that is not on the list may exist all the same. */
const NOT_ALL_LISTED: Found = { kind: 'unknown', detail: 'Adyen does not list all that there is' };

const refused = (failure: 'permanent' | 'credentials', reason: string): OpeningAnswer & { kind: 'refused' } => ({
  kind: 'refused',
  failure,
  reason,
});

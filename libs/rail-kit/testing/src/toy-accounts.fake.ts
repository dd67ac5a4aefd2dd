/** Accounts at a provider in the same process, honest unless told otherwise, and a toy rail that has every power over them. */
import { createHmac, randomUUID } from 'node:crypto';
import type {
  AccountFact,
  AccountRequest,
  NoticeReading,
  OnboardingLinkAnswer,
  OpeningAnswer,
  Rail,
} from '#libs/rail-kit';
import {
  type AccountEvent,
  type AccountsWorld,
  type OpeningOutcome,
  type RailNotice,
  type RailSubject,
  REST_SECONDS,
} from './subject';
import { type Mistake, toySubject } from './toy-rail.fake';

type Account = Extract<AccountFact, { kind: 'account' }>;

const PAYABLE = 'acct_of_the_payee';
const DETAILS = { brand: 'Toy Bank', last4: '6789', currency: 'EUR', name: 'Ada Lovelace' };
const NEW: Account = {
  kind: 'account',
  ...{
    payable: false,
    kyc: 'not_started',
    kycReason: null,
    onboarding: 'not_started',
    country: null,
    details: DETAILS,
  },
};
const VERIFIED: Account = { ...NEW, payable: true, kyc: 'verified', onboarding: 'complete' };

export class ToyAccounts {
  readonly accounts = new Map<string, Account>();
  readonly byKey = new Map<string, string>();
  readonly outcomes = new Map<string, OpeningOutcome>();
  opened = 0;

  /** A fresh provider with empty books. */
  reset(): void {
    this.accounts.clear();
    this.accounts.set(PAYABLE, VERIFIED);
    this.byKey.clear();
    this.outcomes.clear();
    this.opened = 0;
  }

  open(key: string): string {
    const known = this.byKey.get(key);
    if (known) return known;
    this.opened += 1;
    const id = `acct_${randomUUID()}`;
    this.byKey.set(key, id);
    this.accounts.set(id, NEW);
    return id;
  }

  becomes(accountId: string, event: AccountEvent): void {
    const rejected: Account = { ...NEW, kyc: 'rejected', kycReason: 'none', onboarding: 'restricted' };
    const { reason } = { reason: null, ...event } as { reason: string | null };
    this.accounts.set(accountId, event.kind === 'verified' ? VERIFIED : { ...rejected, kycReason: reason });
  }
}

const signed = (body: Buffer): string => createHmac('sha256', 'toy').update(body).digest('hex');

function powersOver(provider: ToyAccounts): Record<string, unknown> {
  return {
    readAccount: async (id: string): Promise<AccountFact> =>
      provider.accounts.get(id) ?? { kind: 'unconfirmed', detail: 'no such account' },
    openAccount: async ({ key }: AccountRequest): Promise<OpeningAnswer> => {
      const outcome = provider.outcomes.get(key);
      provider.outcomes.delete(key);
      if (outcome === 'open_refused') return { kind: 'refused', failure: 'permanent', reason: 'not served' };
      if (outcome === 'open_not_now') return { kind: 'not_now', afterSeconds: REST_SECONDS, detail: 'it wants a rest' };
      const accountId = provider.open(key);
      if (outcome === 'open_lost_answer') throw new Error('no answer');
      return { kind: 'opened', accountId };
    },
    onboardingLink: async (id: string): Promise<OnboardingLinkAnswer> =>
      provider.accounts.has(id)
        ? { kind: 'link', url: `https://toy.example/${randomUUID()}`, expiresAt: null }
        : { kind: 'unconfirmed', detail: 'no such account' },
    readNotice: async ({ headers, body }: RailNotice): Promise<NoticeReading> => {
      if (headers.signature !== signed(body)) return { kind: 'forged' };
      const { railKeys = [], accountIds = [] } = JSON.parse(body.toString()) as Record<string, string[]>;
      return { kind: 'hints', noticeId: body.toString(), railKeys, accountIds };
    },
  };
}

/** What an honest toy does with its accounts, done otherwise. */
export type AccountMistake = (
  honest: HonestToy,
  provider: ToyAccounts,
  ...more: Parameters<Mistake>
) => Partial<HonestToy>;
export interface HonestToy {
  readAccount(id: string): Promise<AccountFact>;
  openAccount(request: AccountRequest): Promise<OpeningAnswer>;
  onboardingLink(id: string): Promise<OnboardingLinkAnswer>;
  readNotice(notice: RailNotice): Promise<NoticeReading>;
}

export function toyWithAccounts(mistake: AccountMistake = () => ({})): RailSubject {
  const provider = new ToyAccounts();
  const subject = toySubject((...parts) => {
    const honest = powersOver(provider);
    return { ...honest, ...mistake(honest as unknown as HonestToy, provider, ...parts) } as Partial<Rail>;
  });
  const notice = (names: Record<string, string[]>): RailNotice => {
    const body = Buffer.from(JSON.stringify(names));
    return { body, headers: { signature: signed(body) } };
  };
  const accounts: AccountsWorld = {
    ...{ payable: PAYABLE, foreign: 'acct_of_others', details: DETAILS },
    becomes: (id, event) => provider.becomes(id, event),
    arrange: (outcome, key) => void provider.outcomes.set(key, outcome),
    opened: () => provider.opened,
    notice: (id) => notice({ accountIds: [id] }),
  };
  const world: RailSubject['world'] = async (parts) => {
    provider.reset();
    return {
      ...(await subject.world(parts)),
      accounts,
      notice: ({ railKey }) => notice({ railKeys: [railKey] }),
    };
  };
  return { ...subject, world };
}

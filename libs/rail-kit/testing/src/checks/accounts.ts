/** Accounts of payees: that one key opens one, that what is told of them is what the provider knows, and whose links are whose. */
import {
  type AccountFact,
  type AccountRequest,
  hostsOnboarding,
  OPENING_REFUSALS,
  type OnboardingLinkFact,
  opensAccounts,
  type Rail,
  readsAccounts,
  readsNotices,
} from '#libs/rail-kit';
import type { RailBench } from '../bench';
import { can, type Check, expectRest, given } from '../check';
import { testKey, testOrder } from '../order';
import type { AccountsWorld, OpeningOutcome } from '../subject';

const WHY = 'the photograph is blurred';
const VISIT = { returnUrl: 'https://shop.example/done', refreshUrl: 'https://pay.example/again', locale: 'de-DE' };

export const ACCOUNTS: Check[] = [
  {
    title: "reads accounts: the payee's own is payable, a foreign one is not",
    needs: [],
    power: readsAccounts,
    run: async (bench) => {
      const { payable, foreign } = accountsOf(bench);
      expect(await read(bench, payable)).toMatchObject({ kind: 'account', payable: true, kyc: 'verified' });
      expect((await read(bench, foreign)).kind).toBe('unconfirmed');
    },
  },
  {
    title: 'reads accounts: it tells what a person recognises of one, and no number of it',
    needs: [],
    power: readsAccounts,
    run: async (bench) => {
      const { payable, details } = accountsOf(bench);
      const fact = await read(bench, payable);
      expect(fact.kind === 'account' ? (fact.details ?? null) : fact).toEqual(details);
      expect(details?.last4 ?? '1234').toMatch(/^[0-9A-Za-z]{2,4}$/);
      expect(details?.currency ?? 'EUR').toMatch(/^[A-Z]{3}$/);
    },
  },
  {
    title: 'reads accounts: one that was rejected says why, and one that was mended is payable again',
    needs: [],
    power: readsAccounts,
    run: async (bench) => {
      const accounts = accountsOf(bench);
      const { payable } = accounts;
      await accounts.becomes(payable, { kind: 'rejected', reason: WHY });
      const rejected = await read(bench, payable);
      expect(rejected).toMatchObject({ kind: 'account', payable: false });
      if (can(bench, 'rejection')) expect(rejected).toMatchObject({ kyc: 'rejected' });
      else expect(rejected).not.toMatchObject({ kyc: 'verified' });
      if (can(bench, 'rejection') && can(bench, 'rejection_reason')) expect(rejected).toMatchObject({ kycReason: WHY });
      await accounts.becomes(payable, { kind: 'verified' });
      expect(await read(bench, payable)).toMatchObject({ payable: true, kyc: 'verified', kycReason: null });
    },
  },
  {
    title: 'reads notices: one that names an account, and it alone',
    needs: ['account_notice'],
    power: (rail) => readsAccounts(rail) && readsNotices(rail),
    run: async (bench) => {
      const { rail } = bench;
      if (!readsNotices(rail)) throw lacking();
      const accounts = accountsOf(bench);
      const notice = await given(accounts.notice, 'accounts.notice').call(accounts, accounts.payable);
      expect(await rail.readNotice(notice)).toMatchObject({ railKeys: [], accountIds: [accounts.payable] });
      const body = Buffer.concat([notice.body, Buffer.from(' ')]);
      expect(await rail.readNotice({ ...notice, body })).toEqual({ kind: 'forged' });
    },
  },
  {
    title: 'opens accounts: one key is one account, also at the same time and after a restart',
    needs: [],
    power: opensAccounts,
    run: async (bench) => {
      const request = requestFor(bench);
      const both = await Promise.all([bench.openAccount(request), bench.openAccount(request)]);
      bench.restart();
      const ids = new Set([...both, await bench.openAccount(request)].map(idOf).filter((id) => id !== null));
      // Whoever came second may not know of it yet.
      expect(idOf(await bench.openAccount(request))).not.toBeNull();
      expect([ids.size, await openedBy(bench)]).toEqual([1, 1]);
      expect(idOf(await bench.openAccount(requestFor(bench)))).not.toBe([...ids][0]);
      expect(await openedBy(bench)).toBe(2);
    },
  },
  {
    title: 'opens accounts: what was opened is not payable yet, and is read as its own',
    needs: [],
    power: (rail) => opensAccounts(rail) && readsAccounts(rail),
    run: async (bench) => {
      const answer = await bench.openAccount(requestFor(bench));
      const accountId = idOf(answer);
      if (accountId === null) throw new Error(`No account was opened: the rail answered ${answer.kind}.`);
      expect(await read(bench, accountId)).toMatchObject({ kind: 'account', payable: false });
      await accountsOf(bench).becomes(accountId, { kind: 'verified' });
      expect(await read(bench, accountId)).toMatchObject({ kind: 'account', payable: true });
    },
  },
  {
    title: 'opens accounts: after an answer that was lost the same key finds the account, also after a restart',
    needs: ['open_lost_answer'],
    power: opensAccounts,
    run: async (bench) => {
      const request = await arranged(bench, 'open_lost_answer');
      expect((await bench.openAccount(request)).kind).toBe('unknown');
      bench.restart();
      expect(idOf(await bench.openAccount(request))).not.toBeNull();
      expect(await openedBy(bench)).toBe(1);
    },
  },
  {
    title: 'opens accounts: a refusal has its class and its reason, and opens none',
    needs: ['open_refused'],
    power: opensAccounts,
    run: async (bench) => {
      const answer = await bench.openAccount(await arranged(bench, 'open_refused'));
      expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/\S/) });
      expect(OPENING_REFUSALS).toContain((answer as { failure?: string }).failure);
      expect(await openedBy(bench)).toBe(0);
    },
  },
  {
    title: 'opens accounts: a provider that wants to be left alone opens none, and is no refusal',
    needs: ['open_not_now'],
    power: opensAccounts,
    run: async (bench) => {
      const request = await arranged(bench, 'open_not_now');
      expect(await bench.openAccount(request)).toMatchObject({ kind: 'not_now', detail: expect.stringMatching(/\S/) });
      expect(idOf(await bench.openAccount(request))).not.toBeNull();
      expect(await openedBy(bench)).toBe(1);
    },
  },
  {
    title: 'opens accounts: a provider that wants to be left alone is, for as long as it asks for',
    needs: ['open_not_now', 'says_how_long'],
    power: opensAccounts,
    run: async (bench) => expectRest(await bench.openAccount(await arranged(bench, 'open_not_now'))),
  },
  {
    title: 'hosts onboarding: each link is new and private, and none is for a foreign account',
    needs: [],
    power: hostsOnboarding,
    run: async (bench) => {
      const { payable, foreign } = accountsOf(bench);
      const links = [await linkTo(bench, payable), await linkTo(bench, payable)];
      const urls = links.map((link) => (link.kind === 'link' ? link.url : link.kind));
      expect(new Set(urls).size).toBe(2);
      for (const url of urls) {
        bench.keepsPrivate(url);
        expect(url).toMatch(/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/])/);
      }
      for (const link of links)
        if (link.kind === 'link' && link.expiresAt)
          expect(link.expiresAt.getTime()).toBeGreaterThan(bench.now().getTime());
      expect(['unconfirmed', 'refused']).toContain((await linkTo(bench, foreign)).kind);
    },
  },
];

function accountsOf({ world }: RailBench): AccountsWorld {
  return given(world.accounts, 'accounts');
}

async function openedBy(bench: RailBench): Promise<number> {
  const accounts = accountsOf(bench);
  return given(accounts.opened, 'accounts.opened').call(accounts);
}

/** A request of its own, for somebody whom the rail pays. */
function requestFor({ traits }: RailBench): AccountRequest {
  return { key: testKey(), payee: testOrder(traits).payee };
}

async function arranged(bench: RailBench, outcome: OpeningOutcome): Promise<AccountRequest> {
  const accounts = accountsOf(bench);
  const request = requestFor(bench);
  await given(accounts.arrange, 'accounts.arrange').call(accounts, outcome, request.key);
  return request;
}

function idOf(answer: { kind: string; accountId?: string }): string | null {
  return answer.kind === 'opened' ? (answer.accountId ?? null) : null;
}

async function read({ rail }: RailBench, accountId: string): Promise<AccountFact | { kind: 'not_now' }> {
  if (!readsAccounts(rail)) throw lacking();
  return rail.readAccount(accountId);
}

async function linkTo({ rail }: { rail: Rail }, accountId: string): Promise<OnboardingLinkFact | { kind: 'not_now' }> {
  if (!hostsOnboarding(rail)) throw lacking();
  return rail.onboardingLink(accountId, VISIT);
}

const lacking = (): Error => new Error('This check is not for a rail without the power.');

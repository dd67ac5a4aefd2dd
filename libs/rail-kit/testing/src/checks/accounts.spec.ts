import { randomUUID } from 'node:crypto';
import { checksFor, runCheck, runRailConformance } from '../conformance';
import { type AccountMistake, toyWithAccounts } from '../toy-accounts.fake';
import { toySubject } from '../toy-rail.fake';

runRailConformance(toyWithAccounts());

const KEY_AGAIN = /^opens accounts: one key is one account/;

/** Each mistake, and a check that must catch it. */
const MISTAKES: Record<string, { caughtBy: RegExp; mistake: AccountMistake }> = {
  'opens another account each time it is asked': {
    caughtBy: KEY_AGAIN,
    mistake: (_, provider) => ({
      openAccount: async () => ({ kind: 'opened', accountId: provider.open(randomUUID()) }),
    }),
  },
  'looks for an account, and opens one if it finds none': {
    caughtBy: KEY_AGAIN,
    mistake: (_, provider) => ({
      openAccount: async ({ key }) => {
        const known = provider.byKey.get(key);
        await new Promise(setImmediate);
        provider.byKey.delete(known ? '' : key);
        return { kind: 'opened', accountId: known ?? provider.open(key) };
      },
    }),
  },
  'knows an account until it is restarted': {
    caughtBy: KEY_AGAIN,
    mistake: (_, provider) => {
      const mine = new Map<string, string>();
      const open = (key: string): string => mine.get(key) ?? mine.set(key, provider.open(randomUUID())).get(key) ?? '';
      return { openAccount: async ({ key }) => ({ kind: 'opened', accountId: open(key) }) };
    },
  },
  'opens one account for everybody': {
    caughtBy: KEY_AGAIN,
    mistake: (_, provider) => ({ openAccount: async () => ({ kind: 'opened', accountId: provider.open('one') }) }),
  },
  'calls an opening refused whose answer was lost': {
    caughtBy: /answer that was lost/,
    mistake: ({ openAccount }) => ({
      openAccount: (request) =>
        openAccount(request).catch(() => ({ kind: 'refused', failure: 'transient', reason: 'no answer' })),
    }),
  },
  'opens an account that it refused': {
    caughtBy: /a refusal has its class/,
    mistake: ({ openAccount }, provider) => ({
      openAccount: (request) => {
        provider.open(request.key);
        return openAccount(request);
      },
    }),
  },
  'refuses in a class of its own': {
    caughtBy: /a refusal has its class/,
    mistake: () => ({
      openAccount: async () => ({ kind: 'refused', failure: 'expired' as 'permanent', reason: 'no' }),
    }),
  },
  'calls a rest a refusal': {
    caughtBy: /left alone/,
    mistake: ({ openAccount }) => ({
      openAccount: async (request) => {
        const answer = await openAccount(request);
        return answer.kind === 'not_now' ? { kind: 'refused', failure: 'transient', reason: 'later' } : answer;
      },
    }),
  },
  'calls an account payable that nobody checked': {
    caughtBy: /is not payable yet/,
    mistake: ({ readAccount }) => ({
      readAccount: async (id) => {
        const fact = await readAccount(id);
        return fact.kind === 'account' && fact.kyc === 'not_started' ? { ...fact, payable: true } : fact;
      },
    }),
  },
  'confirms a foreign account': {
    caughtBy: /a foreign one is not/,
    mistake: ({ readAccount }) => ({ readAccount: () => readAccount('acct_of_the_payee') }),
  },
  'tells the whole number of an account': {
    caughtBy: /what a person recognises/,
    mistake: ({ readAccount }) => ({
      readAccount: async (id) => {
        const fact = await readAccount(id);
        const details = { brand: 'Toy Bank', last4: 'DE0012345689', currency: 'EUR', name: 'Ada Lovelace' };
        return fact.kind === 'account' ? { ...fact, details } : fact;
      },
    }),
  },
  'keeps the reason of a rejection that was mended': {
    caughtBy: /one that was mended/,
    mistake: ({ readAccount }) => {
      let why: string | null = null;
      return {
        readAccount: async (id) => {
          const fact = await readAccount(id);
          if (fact.kind !== 'account') return fact;
          why = fact.kycReason ?? why;
          return { ...fact, kycReason: why };
        },
      };
    },
  },
  'names nobody in a notice about an account': {
    caughtBy: /names an account/,
    mistake: ({ readNotice }) => ({
      readNotice: async (notice) => {
        const reading = await readNotice(notice);
        return reading.kind === 'hints' ? { ...reading, accountIds: undefined } : reading;
      },
    }),
  },
  'hands out the same link twice': {
    caughtBy: /^hosts onboarding/,
    mistake: () => ({ onboardingLink: async () => ({ kind: 'link', url: 'https://toy.example/1', expiresAt: null }) }),
  },
  'hands out a link that others can read along': {
    caughtBy: /^hosts onboarding/,
    mistake: ({ onboardingLink }) => ({
      onboardingLink: async (id) => {
        const link = await onboardingLink(id);
        return link.kind === 'link' ? { ...link, url: link.url.replace('https', 'http') } : link;
      },
    }),
  },
  'logs the link': {
    caughtBy: /^hosts onboarding/,
    mistake: ({ onboardingLink }, _provider, _rail, { log }) => ({
      onboardingLink: async (id) => {
        const link = await onboardingLink(id);
        log.info({ link }, 'minted');
        return link;
      },
    }),
  },
  "logs the name of the account's owner": {
    caughtBy: KEY_AGAIN,
    mistake: ({ openAccount }, _provider, _rail, { log }) => ({
      openAccount: (request) => {
        log.info({ name: request.payee.name }, 'opening');
        return openAccount(request);
      },
    }),
  },
};

describe('the conformance suite refuses a rail that', () => {
  it.each(Object.entries(MISTAKES))('%s', async (_, { caughtBy, mistake }) => {
    const subject = toyWithAccounts(mistake);
    const check = checksFor(subject).find(({ title }) => caughtBy.test(title));
    if (!check) throw new Error(`No check is called ${caughtBy.source}.`);
    await expect(runCheck(subject, check)).rejects.toThrow();
  });

  it('has no power over accounts, and is put to none of these checks', () => {
    const about = /^(reads|opens) accounts|^hosts onboarding|names an account/;
    expect(checksFor(toySubject()).filter(({ title }) => about.test(title))).toEqual([]);
    expect(checksFor(toyWithAccounts()).filter(({ title }) => about.test(title))).toHaveLength(11);
  });
});

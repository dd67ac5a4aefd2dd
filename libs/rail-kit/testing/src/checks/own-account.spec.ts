import { randomUUID } from 'node:crypto';
import { checksFor, runCheck, runRailConformance } from '../conformance';
import type { RailSubject } from '../subject';
import { toyWithOwnAccount, type TreasuryMistake } from '../toy-own-account.fake';

runRailConformance(toyWithOwnAccount());

const HELD = /^reports funding: what can be paid out now/;
const WHOSE = /^verifies: whose account/;

/** Each mistake, a check that must catch it, and what its author is told. */
const MISTAKES: Record<string, { caughtBy: RegExp; told: RegExp; mistake: TreasuryMistake }> = {
  'reads the first page of its movements': {
    caughtBy: /those of all pages/,
    told: /4 of 7 payments are not among .*Ask for the next page/,
    mistake: (_, { page }) => ({ movements: async () => page(0) }),
  },
  'reads two pages of its movements': {
    caughtBy: /those of all pages/,
    told: /1 of 7 payments/,
    mistake: (_, { page }) => ({ movements: async () => [...page(0), ...page(3)] }),
  },
  'begins each page with the last one of the page before': {
    caughtBy: /those of all pages/,
    told: /some stand on two pages/,
    mistake: (_, { page }) => ({ movements: async () => [0, 2, 4, 6].flatMap((from) => page(from)) }),
  },
  'counts what is still to come as available': {
    caughtBy: HELD,
    told: /1234567 minor units of EUR .* and 89012 that cannot yet: the rail tells 1323579/,
    mistake: (_, { treasury }) => ({
      funding: async () =>
        [...(treasury?.held.values() ?? [])].map(({ currency, availableCents, pendingCents }) => ({
          ...{ currency, availableCents: availableCents + pendingCents },
        })),
    }),
  },
  'tells its balance in whole units of the currency': {
    caughtBy: HELD,
    told: /minor units of ISO 4217/,
    mistake: ({ funding }) => ({ funding: changed(funding, (cents) => Math.trunc(cents / 100)) }),
  },
  'takes every currency for one of two decimals': {
    caughtBy: HELD,
    told: /minor units of JPY/,
    mistake: ({ funding }) => ({
      funding: changed(funding, (cents, currency) => (currency === 'JPY' ? cents * 100 : cents)),
    }),
  },
  'takes any key for a good one': {
    caughtBy: /^verifies: a secret that the provider does not know/,
    told: /another value of TOY_KEY `verify` answers 'works'/,
    mistake: () => ({ verify: async () => ({ kind: 'works', account: 'toy', mode: 'sandbox' }) }),
  },
  'cannot say that a key is bad': {
    caughtBy: /^verifies: a secret that the provider does not know/,
    told: /`verify` answers 'unknown'/,
    mistake: ({ verify }, { treasury }) => ({
      verify: async () => (treasury ? verify() : { kind: 'unknown', detail: '401' }),
    }),
  },
  'has one word for all accounts': {
    caughtBy: /^verifies: another account/,
    told: /says 'toy' as well/,
    mistake: ({ verify }) => ({ verify: async () => ({ ...(await verify()), account: 'toy' }) }),
  },
  'has another word for its account each time': {
    caughtBy: WHOSE,
    told: /take the id that the provider has/,
    mistake: ({ verify }) => ({ verify: async () => ({ ...(await verify()), account: randomUUID() }) }),
  },
  'calls its key the account': {
    caughtBy: WHOSE,
    told: /toy-secret-4711/,
    mistake: ({ verify }) => ({ verify: async () => ({ ...(await verify()), account: 'toy-secret-4711' }) }),
  },
  'calls a sandbox live': {
    caughtBy: WHOSE,
    told: /no money is real, and `mode` is 'live'/,
    mistake: ({ verify }) => ({ verify: async () => ({ ...(await verify()), mode: 'live' }) }),
  },
  'calls real money a sandbox': {
    caughtBy: /the mode is live/,
    told: /in which money is real `mode` is 'sandbox'/,
    mistake: ({ verify }) => ({ verify: async () => ({ ...(await verify()), mode: 'sandbox' }) }),
  },
  'rejects its key when nobody answers': {
    caughtBy: /cannot be asked is unknown/,
    told: /all payouts of the rail stop/,
    mistake: ({ verify }) => ({ verify: () => verify().catch(() => ({ kind: 'rejected', detail: 'no answer' })) }),
  },
  'trusts its key when nobody answers': {
    caughtBy: /cannot be asked is unknown/,
    told: /`verify` says 'works'/,
    mistake: ({ verify }) => ({
      verify: () => verify().catch(() => ({ kind: 'works', account: 'toy', mode: 'sandbox' })),
    }),
  },
};

describe('the conformance suite refuses a rail that', () => {
  it.each(Object.entries(MISTAKES))('%s', async (_, { caughtBy, told, mistake }) => {
    await expect(run(toyWithOwnAccount(mistake), caughtBy)).rejects.toThrow(told);
  });

  it('is not told by its test what lies in its account', async () => {
    await expect(run(changedWorld({ holds: undefined }), HELD)).rejects.toThrow("needs 'holds'");
  });

  it('is told that its account never holds anything', async () => {
    await expect(run(changedWorld({ holds: () => false }), HELD)).rejects.toThrow(/never holds it/);
  });

  it.each<[string, Record<string, string>]>([
    ['what is no secret', { TOY_URL: 'an address is no secret' }],
    ['a secret without a reason', { TOY_KEY: 'cannot' }],
  ])('cannot verify %s', async (_, cannotVerify) => {
    const subject = { ...toyWithOwnAccount(), cannotVerify };
    await expect(run(subject, /^what cannot be verified/)).rejects.toThrow();
  });
});

describe('the conformance suite lets pass', () => {
  it('a rail whose secret no question can check, if it says so', async () => {
    const subject = toyWithOwnAccount(() => ({
      verify: async () => ({ kind: 'works', account: 'toy', mode: 'sandbox' }),
    }));
    const reason = 'the toy tells its key from another by what it pays';
    await run({ ...subject, cannotVerify: { TOY_KEY: reason } }, /^verifies: a secret/);
  });

  it('a provider that refuses in another class than for good', async () => {
    const cannot = { refuse_permanent: 'what this provider refuses it refuses for now' };
    await run({ ...toyWithOwnAccount(), cannot }, /^lists movements: what moved/);
  });
});

function changed(
  funding: () => Promise<{ currency: string; availableCents: number }[]>,
  change: (cents: number, currency: string) => number,
): () => Promise<object[]> {
  return async () =>
    (await funding()).map(({ currency, availableCents }) => ({
      ...{ currency, availableCents: change(availableCents, currency) },
    }));
}

function changedWorld(changes: object): RailSubject {
  const honest = toyWithOwnAccount();
  return { ...honest, world: async (parts) => ({ ...(await honest.world(parts)), ...changes }) };
}

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (!check) throw new Error(`This rail is put to no check like ${String(title)}.`);
  await runCheck(subject, check);
}

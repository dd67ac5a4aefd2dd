/** What is planted here is told to be wrong in words that say what to do: an author has nothing else before them. */
import type { LookupAnswer, RailOrder, SubmitAnswer } from '#libs/rail-kit';
import { checksFor, runCheck } from '../conformance';
import type { RailSubject } from '../subject';
import { toyWithAccounts } from '../toy-accounts.fake';
import { type Mistake, toySubject } from '../toy-rail.fake';

const CODE = /^unknown_code/;
const STATE = /^unknown_state/;
const REST = /^not_now: for as long/;

/** What the rail calls what it does not know. */
const calls =
  (named: (order: RailOrder) => SubmitAnswer, isLookup = false): Mistake =>
  (rail) => ({
    submit: async (order) => orNamed(await rail.submit(order), named(order)),
    lookup: async (order) => {
      const fact = await rail.lookup(order);
      return isLookup ? orNamed<LookupAnswer>(fact, named(order)) : fact;
    },
  });

const orNamed = <Fact extends LookupAnswer>(fact: Fact, named: Fact): Fact => (fact.kind === 'unknown' ? named : fact);

const refused = (failure: 'permanent' | 'transient') => (): SubmitAnswer => ({
  kind: 'refused',
  failure,
  reason: 'never heard of',
});
const settled = ({ railKey }: RailOrder): SubmitAnswer => ({ kind: 'settled', providerRef: railKey, settledAt: null });
const accepted = ({ railKey }: RailOrder): SubmitAnswer => ({ kind: 'accepted', providerRef: railKey });

const restsFor =
  (change: (seconds: number) => number): Mistake =>
  (rail) => ({
    submit: async (order) => {
      const answer = await rail.submit(order);
      return answer.kind === 'not_now' ? { ...answer, afterSeconds: change(answer.afterSeconds) } : answer;
    },
  });

describe('the conformance suite refuses a rail that', () => {
  it.each<[string, RegExp, RegExp, Mistake]>([
    [
      'refuses for good what it has no word for',
      CODE,
      /the rail calls that 'refused'.*`unknown`/,
      calls(refused('permanent')),
    ],
    ['refuses for now what it has no word for', CODE, /the rail calls that 'refused'/, calls(refused('transient'))],
    ['calls paid what was turned away in unknown words', CODE, /the rail calls that 'settled'/, calls(settled)],
    ['calls a state paid that it does not know', STATE, /`submit` calls that 'settled'/, calls(settled, true)],
    [
      'calls a state refused that it does not know',
      STATE,
      /`submit` calls that 'refused'/,
      calls(refused('permanent'), true),
    ],
    ['calls it under way for ever', STATE, /`lookup` calls that 'accepted'/, calls(accepted, true)],
    ['rests for as long as it likes', REST, /a rest of 7 seconds, and the rail says 30/, restsFor(() => 30)],
    ['takes seconds for milliseconds', REST, /the rail says 7000/, restsFor((seconds) => seconds * 1_000)],
  ])('%s', async (_, caughtBy, told, mistake) => {
    await expect(run(toySubject(mistake), caughtBy)).rejects.toThrow(told);
  });

  it('rests for as long as it likes where accounts are opened', async () => {
    const subject = toyWithAccounts(({ openAccount }) => ({
      openAccount: async (request) => {
        const answer = await openAccount(request);
        return answer.kind === 'not_now' ? { ...answer, afterSeconds: 60 } : answer;
      },
    }));
    await expect(run(subject, /left alone is, for as long/)).rejects.toThrow(/the rail says 60/);
  });

  it('has a provider that, it says, refuses nothing', async () => {
    const [never, honest] = ['this provider takes every order, they said', toySubject()];
    const cannot = Object.fromEntries(
      ['permanent', 'transient', 'funding', 'account', 'credentials'].map((failure) => [`refuse_${failure}`, never]),
    );
    await expect(run({ ...honest, cannot }, /^what the provider cannot do/)).rejects.toThrow(
      /No provider takes every order/,
    );
  });
});

describe('the conformance suite lets pass', () => {
  it('a state that only a look-up tells', async () => {
    await run(toySubject(calls(accepted)), STATE);
  });

  it('a provider that has no refusal for good', async () => {
    const cannot = { refuse_permanent: 'what this provider refuses it refuses for now' };
    const subject = { ...toySubject(), cannot };
    await run(subject, /^what the provider cannot do/);
    expect(checksFor(subject).filter(({ title }) => title.startsWith('refuse_permanent'))).toEqual([]);
  });

  it('a provider that never says for how long it wants to be left alone', async () => {
    const cannot = { says_how_long: 'it answers 429, and not how long that holds' };
    expect(checksFor({ ...toySubject(), cannot }).filter(({ title }) => REST.test(title))).toEqual([]);
  });

  it('accounts of which the provider does not say why they were rejected', async () => {
    const subject = toyWithAccounts(({ readAccount }) => ({
      readAccount: async (id) => {
        const fact = await readAccount(id);
        return fact.kind === 'account' ? { ...fact, kycReason: null } : fact;
      },
    }));
    const mended = /^reads accounts: one that was rejected/;
    await expect(run(subject, mended)).rejects.toThrow();
    await run({ ...subject, cannot: { rejection_reason: 'its API has no field for a reason' } }, mended);
  });

  it.each([
    ['pending', 'passes'],
    ['verified', 'is caught'],
  ] as const)('accounts of which it tells only that they cannot be paid: called %s it %s', async (kyc, then) => {
    const subject = toyWithAccounts(({ readAccount }) => ({
      readAccount: async (id) => {
        const fact = await readAccount(id);
        return fact.kind === 'account' && !fact.payable ? { ...fact, kyc, kycReason: null } : fact;
      },
    }));
    const mended = /^reads accounts: one that was rejected/;
    await expect(run(subject, mended)).rejects.toThrow();
    const tried = run({ ...subject, cannot: { rejection: 'it tells `payouts_enabled` alone' } }, mended);
    await (then === 'passes' ? tried : expect(tried).rejects.toThrow());
  });
});

async function run(subject: RailSubject, title: RegExp): Promise<void> {
  const check = checksFor(subject).find((candidate) => title.test(candidate.title));
  if (!check) throw new Error(`This rail is put to no check like ${String(title)}.`);
  await runCheck(subject, check);
}

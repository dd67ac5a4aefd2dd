import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

describe('the turns of a rail', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  const rails = { traits: () => ({ callsPerSecond: 10 }) } as unknown as Rails;
  const aProcess = () => new RailPauses(rails, new RailLanes(scratch.db));

  test('are there for money, however many questions there are of all processes', async () => {
    const filled = async (question: string): Promise<void> => {
      const toy = `toy_${question}`;
      const processes = [aProcess(), aProcess()];
      const questions = Array.from({ length: 60 }, (_, nth) => processes[nth % 2]?.turn(toy, question));
      const leftOut = await Promise.race(
        questions.map(async (asked) => ((await asked) ? asked : new Promise(() => 0))),
      );
      expect(leftOut).toMatchObject({ kind: 'not_now' });
      const money = Array.from({ length: 8 }, () => aProcess().turn(toy, 'submit'));
      expect(await Promise.all(money)).toEqual(Array(8).fill(null));
      expect((await Promise.all(questions)).filter((told) => told === null).length).toBeGreaterThan(5);
    };
    const ofCallers = ['lookupForCaller', 'readAccount', 'openAccount', 'onboardingLink', 'funding'];
    const ofPayees = ['arrivesAs', 'checkDestination', 'checkPayee', 'payeeCheckLink', 'payeeLink'];
    await Promise.all([...ofCallers, ...ofPayees].map(filled));
  });

  describe('while its provider wants to be left alone', () => {
    const rest = { kind: 'not_now', afterSeconds: 60, detail: 'too many calls' } as const;
    const isClosed = async (rail: string) => (await new RailLanes(scratch.db).closure(rail)) !== null;
    const resting = async (pauses: RailPauses, rail: string) => {
      const calls = ['submit', 'checkPayeeBeforeSend', 'readAccount', 'checkPayee', 'onboardingLink', 'payeeLink'];
      const turns = await Promise.all(calls.map(async (call) => ((await pauses.turn(rail, call)) ? [call] : [])));
      return turns.flat();
    };

    test.each([
      ['onboardingLink', ['onboardingLink', 'payeeLink'], false],
      ['readAccount', ['readAccount', 'checkPayee', 'onboardingLink', 'payeeLink'], false],
      ['lookup', ['submit', 'checkPayeeBeforeSend', 'readAccount', 'checkPayee', 'onboardingLink', 'payeeLink'], true],
    ])('what is no more urgent than the call that heard it rests: %s', async (heardIn, rests, closes) => {
      const rail = `heard_${heardIn}`;
      const pauses = aProcess();
      await pauses.heard(rail, heardIn, rest);
      expect(await resting(pauses, rail)).toEqual(rests);
      expect(await isClosed(rail)).toBe(closes);
    });

    test('what money heard counts though a question hears of a longer rest', async () => {
      const pauses = aProcess();
      await pauses.heard('both', 'payeeLink', { ...rest, afterSeconds: 600 });
      await pauses.heard('both', 'submit', rest);
      expect(await pauses.turn('both', 'submit')).toMatchObject({ kind: 'not_now', afterSeconds: 60 });
      expect(await pauses.turn('both', 'payeeLink')).toMatchObject({ kind: 'not_now', afterSeconds: 600 });
      expect(await isClosed('both')).toBe(true);
    });
  });
});

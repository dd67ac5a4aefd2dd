/** Questions that payees bring about by their pages, as often as they like, leave the half of a rail's turns to money as others do. */
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { RailLanes } from './rail-lanes';
import { RailPauses } from './rail-pauses';
import type { Rails } from './rails';

describe('the turns of a rail, when payees ask', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  const rails = { traits: () => ({ callsPerSecond: 10 }) } as unknown as Rails;
  const aProcess = () => new RailPauses(rails, new RailLanes(scratch.db));

  test.each(['readAccount', 'arrivesAs', 'checkDestination', 'checkPayee', 'payeeCheckLink', 'payeeLink'])(
    'are there for money, however many questions there are: %s',
    async (question) => {
      const rail = `toy_${question}`;
      const processes = [aProcess(), aProcess()];
      const questions = Array.from({ length: 60 }, (_, nth) => processes[nth % 2]?.turn(rail, question));
      await Promise.race(questions.map(async (asked) => ((await asked) ? asked : new Promise(() => 0))));
      const money = await Promise.all(Array.from({ length: 8 }, () => aProcess().turn(rail, 'submit')));
      await Promise.all(questions);
      expect(money).toEqual(Array(8).fill(null));
    },
  );
});

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

  test('are there for money, however many questions callers have of all processes', async () => {
    const processes = [aProcess(), aProcess()];
    const questions = Array.from({ length: 60 }, (_, nth) => processes[nth % 2]?.turn('toy', 'readAccount'));
    const leftOut = await Promise.race(questions.map(async (asked) => ((await asked) ? asked : new Promise(() => 0))));
    expect(leftOut).toMatchObject({ kind: 'not_now' });
    const money = Array.from({ length: 8 }, () => aProcess().turn('toy', 'submit'));
    expect(await Promise.all(money)).toEqual(Array(8).fill(null));
    expect((await Promise.all(questions)).filter((told) => told === null).length).toBeGreaterThan(5);
  });
});

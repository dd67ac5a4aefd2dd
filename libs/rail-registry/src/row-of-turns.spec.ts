/** A call waits until its turn; and which of a client's calls finds a place behind how much of the row. */
import { onBehalf } from '#libs/db';
import type { RailLanes } from './rail-lanes';
import { RowOfTurns } from './row-of-turns';

const WAIT_MS = 700;

describe('the row of turns', () => {
  let patience: (number | undefined)[];
  let row: RowOfTurns;
  /** How often there is no place. */
  let full: number;
  beforeEach(() => {
    jest.useFakeTimers();
    patience = [];
    full = 0;
    const turn = (_rail: string, _perSecond: number, patienceMs?: number): Promise<number | null> => {
      patience.push(patienceMs);
      return Promise.resolve((full -= 1) < 0 ? WAIT_MS : null);
    };
    row = new RowOfTurns({ turn } as unknown as RailLanes);
  });
  afterEach(() => jest.useRealTimers());

  const asks = (rail = 'swap_rail', kind: 'sends' | 'money' | 'questions' = 'money'): Promise<boolean> =>
    row.waited({ rail, perSecond: 5, kind });
  const entered = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

  test.each([null, 'ada'])('lets a call of %s through when its turn comes, and not before', async (whose) => {
    const came: boolean[] = [];
    const turn = onBehalf(whose, asks).then((isInTime) => came.push(isInTime));
    await jest.advanceTimersByTimeAsync(WAIT_MS - 1);
    expect(came).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await turn;
    expect(came).toEqual([true]);
  });

  test('has less for what a client does besides, as long as calls of it wait there', async () => {
    const both = onBehalf('ada', () => Promise.all([asks(), asks()]));
    await entered();
    const besides = onBehalf('ada', asks);
    await entered();
    expect(patience).toEqual([2_700, 2_200, 1_000]);
    await jest.advanceTimersByTimeAsync(WAIT_MS);
    await Promise.all([both, besides]);
    const after = onBehalf('ada', asks);
    await entered();
    expect(patience.at(-1)).toBe(2_700);
    await jest.advanceTimersByTimeAsync(WAIT_MS);
    await after;
  });

  test('has as much for others, for another rail, for other kinds of calls and for what is nobody’s', async () => {
    const calls = [onBehalf('ada', asks), onBehalf('bob', asks), onBehalf('ada', () => asks('custodial_a'))];
    calls.push(
      onBehalf('ada', () => asks('swap_rail', 'sends')),
      asks(),
      asks(),
    );
    calls.push(onBehalf('ada', () => asks('swap_rail', 'questions')));
    calls.push(onBehalf('ada', () => asks('swap_rail', 'questions')));
    await entered();
    expect(patience.sort()).toEqual([2_400, 2_700, 2_700, 2_700, 3_000, 3_000, 3_000, 500].sort());
    await jest.advanceTimersByTimeAsync(WAIT_MS);
    await Promise.all(calls);
  });

  test('has little for a client of whom several deeds have calls there', async () => {
    const deeds = [onBehalf('ada', asks), onBehalf('ada', async () => [await asks(), await asks()])];
    await entered();
    const [first, second] = [onBehalf('ada', () => Promise.all([asks(), asks()])), onBehalf('bob', asks)];
    await entered();
    expect(patience).toEqual([2_700, 1_000, 1_000, 2_700, 1_000]);
    await jest.advanceTimersByTimeAsync(10 * WAIT_MS);
    await Promise.all([...deeds, first, second]);
  });

  test.each([null, 'ada'])('lets a call of %s wait for a place, and for its turn then', async (whose) => {
    full = 3;
    const turn = onBehalf(whose, asks);
    await jest.advanceTimersByTimeAsync(10 * WAIT_MS);
    expect([await turn, patience.length]).toEqual([true, 4]);
    full = 1_000;
    const late = onBehalf(whose, asks);
    await jest.advanceTimersByTimeAsync(10 * WAIT_MS);
    expect(await late).toBe(false);
  });
});

import { HandshakeTurns } from './handshake-turns';

describe('HandshakeTurns', () => {
  let clock: number;
  let turns: HandshakeTurns;
  let computed: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    clock = 0;
    turns = new HandshakeTurns(() => clock);
    computed = [];
  });
  afterEach(() => jest.useRealTimers());

  function take(name: string, ms: number): void {
    turns.take(name.slice(0, 1), () => {
      clock += ms;
      computed.push(name);
    });
  }
  function inNextTurn(): string[] {
    computed = [];
    jest.runOnlyPendingTimers();
    return computed;
  }

  it('computes what is cheap together, and in the order it came', () => {
    for (const name of ['a1', 'b1', 'a2', 'c1', 'a3']) take(name, 2);
    expect(computed).toEqual([]);
    expect(inNextTurn()).toEqual(['a1', 'b1', 'a2']);
    expect(inNextTurn()).toEqual(['c1', 'a3']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has the host of a costly one rest, and nobody else', () => {
    for (const name of ['a1', 'a2', 'b1']) take(name, 80);
    expect(inNextTurn()).toEqual(['a1']);
    expect(inNextTurn()).toEqual(['b1']);
    take('c1', 1);
    expect(inNextTurn()).toEqual(['c1']);
    clock = 80 + 9 * 80 - 1;
    expect(inNextTurn()).toEqual([]);
    clock += 1;
    expect([...inNextTurn(), ...inNextTurn()]).toEqual(['a2']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has nobody rest for longer than an attempt lasts, however long the process stood still', () => {
    take('a1', 60_000);
    take('a2', 1);
    expect(inNextTurn()).toEqual(['a1']);
    clock += 2_000;
    expect([...inNextTurn(), ...inNextTurn()]).toEqual(['a2']);
  });
});

import { type Handshake, HandshakeTurns } from './handshake-turns';

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

  function take(host: string, ms: number): Handshake {
    const handshake = { host, isCostly: false };
    turns.take(handshake, () => {
      clock += ms;
      computed.push(host);
    });
    return handshake;
  }
  function inNextTurn(): string[] {
    computed = [];
    jest.runOnlyPendingTimers();
    return computed;
  }
  /** The end of a rest is a timer, and the turn that it begins another. */
  function untilAllRest(): string[] {
    const all: string[] = [];
    for (let empty = 0; empty < 2;) {
      const some = inNextTurn();
      all.push(...some);
      empty = some.length > 0 ? 0 : empty + 1;
    }
    return all;
  }
  function known(...hosts: string[]): void {
    const handshakes = hosts.map((host) => take(host, 1));
    untilAllRest();
    for (const each of handshakes) turns.succeeded(each);
  }

  it('computes what is cheap together, and in the order it came', () => {
    known('b', 'd');
    for (const host of ['a', 'b', 'a', 'c', 'd']) take(host, 2);
    expect(inNextTurn()).toEqual(['a', 'b', 'a']);
    expect(inNextTurn()).toEqual(['c', 'd']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has all strangers rest after a costly one, and nobody whose handshakes are known to be cheap', () => {
    known('d');
    const from = clock;
    for (const host of ['a', 'b', 'c']) take(host, 80);
    expect(inNextTurn()).toEqual(['a']);
    take('d', 1);
    expect(inNextTurn()).toEqual(['d']);
    clock = from + 80 + 9 * 80 - 1;
    expect(inNextTurn()).toEqual([]);
    clock += 1;
    expect(untilAllRest()).toEqual(['b']);
    clock += 9 * 80;
    expect(untilAllRest()).toEqual(['c']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('lets strangers pass who have less in common with a costly one, however many wait with names like its', () => {
    take('h0.many.example', 80);
    for (let nth = 1; nth < 50; nth += 1) take(`h${nth}.many.example`, 80);
    expect(untilAllRest()).toEqual(['h0.many.example']);
    take('hooks.other.example', 1);
    clock += 9 * 80;
    expect(untilAllRest()).toEqual(['hooks.other.example', 'h1.many.example']);
  });

  it('forgets what is costly after a minute: a process that stood still puts nobody behind others for ever', () => {
    take('hooks.unlucky.example', 500);
    expect(untilAllRest()).toEqual(['hooks.unlucky.example']);
    for (let nth = 0; nth < 100; nth += 1) take(`h${nth}.many.example`, 80);
    for (let seconds = 0; seconds < 61; seconds += 1) {
      clock += 1_000;
      untilAllRest();
    }
    take('hooks.unlucky.example', 1);
    clock += 1_000;
    expect(untilAllRest()[0]).toBe('hooks.unlucky.example');
  });

  it('has a name that is costly after all rest as a stranger, until it succeeds with a cheap one', () => {
    known('a');
    const costly = take('a', 80);
    take('a', 1);
    expect(untilAllRest()).toEqual(['a']);
    turns.succeeded(costly);
    expect(untilAllRest()).toEqual([]);
    clock += 9 * 80;
    expect(untilAllRest()).toEqual(['a']);
    known('a');
    take('b', 80);
    expect(untilAllRest()).toEqual(['b']);
    take('a', 1);
    expect(untilAllRest()).toEqual(['a']);
  });

  it('holds all for strangers once many known names are costly after all', () => {
    const names = Array.from({ length: 10 }, (_, nth) => `h${nth}`);
    known(...names);
    for (const host of names) take(host, 80);
    expect(untilAllRest()).toEqual(names.slice(0, 9));
    clock += 9 * 80;
    expect(untilAllRest()).toEqual(names.slice(9));
  });

  it('has nobody rest for longer than an attempt lasts, however long the process stood still', () => {
    take('a', 60_000);
    take('a', 1);
    expect(inNextTurn()).toEqual(['a']);
    clock += 1_000;
    expect(untilAllRest()).toEqual(['a']);
  });
});

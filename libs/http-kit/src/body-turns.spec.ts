import { setImmediate as nextTurn } from 'node:timers/promises';
import { readBody } from './body';
import { BodyTurns } from './body-turns';
import type { GatewayRequest } from './gateway-request';

const BIG = Buffer.from(JSON.stringify({ text: 'x'.repeat(20_000) }));
const request = (rawBody: Buffer): GatewayRequest =>
  ({
    method: 'POST',
    originalUrl: '/',
    rawBody,
    headers: { 'content-type': 'application/json' },
  }) as unknown as GatewayRequest;

describe('bodies that are complete in the same moment', () => {
  test('are parsed in turns of their own if they are big', async () => {
    let turn = 0;
    let isOver = false;
    const count = async (): Promise<void> => {
      while (!isOver) {
        await nextTurn();
        turn += 1;
      }
    };
    const counting = count();
    const parse = jest.spyOn(JSON, 'parse');
    const parsedIn: number[] = [];
    parse.mockImplementation((text: string) => {
      parsedIn.push(turn);
      return { text: text.length };
    });
    await Promise.all(Array.from({ length: 5 }, () => readBody(request(BIG), 'one').catch(() => undefined)));
    parse.mockRestore();
    isOver = true;
    await counting;
    expect(new Set(parsedIn).size).toBe(5);
  });

  test('wait for no other if they are small', async () => {
    const turns = new BodyTurns();
    const never = turns.run('one', 1, () => new Promise(() => undefined));
    expect(await readBody(request(Buffer.from('{"a":1}')), 'two')).toEqual({ a: 1 });
    expect(never).toBeInstanceOf(Promise);
  });

  test('are parsed in turns of their senders', async () => {
    const turns = new BodyTurns(() => 0);
    const order: string[] = [];
    const body = (sender: string, name: string): Promise<void> =>
      turns.run(sender, 0, async () => {
        await nextTurn();
        order.push(name);
      });
    await Promise.all([body('a', 'a1'), body('a', 'a2'), body('a', 'a3'), body('b', 'b1'), body('c', 'c1')]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  test('leave four fifths of the time to others, whoever sends them', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    let now = 0;
    const turns = new BodyTurns(() => now);
    const order: string[] = [];
    const body = (sender: string, name: string): Promise<void> =>
      turns.run(sender, 1_048_576, async () => {
        await nextTurn();
        order.push(name);
      });
    await body('a', 'a1');
    const second = body('a', 'a2');
    await body('b', 'b1');
    await nextTurn();
    expect(order).toEqual(['a1', 'b1']);
    now = 399;
    jest.advanceTimersByTime(399);
    await nextTurn();
    expect(order).toEqual(['a1', 'b1']);
    now = 401;
    jest.advanceTimersByTime(2);
    await second;
    expect(order).toEqual(['a1', 'b1', 'a2']);
    jest.useRealTimers();
  });

  test('of which one cannot be parsed leave the turn to the next', async () => {
    const turns = new BodyTurns();
    const bad = turns.run('a', 1, () => Promise.reject(new Error('no JSON')));
    const good = turns.run('a', 1, () => Promise.resolve('read'));
    await expect(bad).rejects.toThrow('no JSON');
    await expect(good).resolves.toBe('read');
    await nextTurn();
    await expect(turns.run('a', 1, () => Promise.resolve('again'))).resolves.toBe('again');
  });
});

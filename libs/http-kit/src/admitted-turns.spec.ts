import { setImmediate } from 'node:timers/promises';
import { AdmittedTurns, BYTES_IN_A_TURN } from './admitted-turns';

describe('requests that were admitted together', () => {
  /** In which turn of the event loop each goes on. */
  const turnsOf = async (asked: { sender: string; bytes: number }[]): Promise<number[]> => {
    const admitted = new AdmittedTurns();
    let turn = 0;
    const going = asked.map(({ sender, bytes }) => admitted.wait(sender, bytes).then(() => turn));
    let isOver = false;
    const all = Promise.all(going).finally(() => (isOver = true));
    while (!isOver) {
      await setImmediate();
      turn += 1;
    }
    return all;
  };
  const most = (turns: number[]): number =>
    Math.max(...turns.map((one) => turns.filter((turn) => turn === one).length));

  test('go on a few at a time if they say much', async () => {
    const turns = await turnsOf(Array.from({ length: 100 }, () => ({ sender: 'a', bytes: 8_000 })));
    expect(most(turns)).toBeLessThanOrEqual(6);
  });

  test('go on at once if they say little', async () => {
    const turns = await turnsOf(Array.from({ length: 50 }, () => ({ sender: 'a', bytes: BYTES_IN_A_TURN / 64 })));
    expect(new Set(turns)).toEqual(new Set([0]));
  });

  test('of one sender do not stand before those of another', async () => {
    const many = Array.from({ length: 100 }, () => ({ sender: 'a', bytes: 8_000 }));
    const turns = await turnsOf([...many, { sender: 'b', bytes: 100 }]);
    expect(turns[100]).toBeLessThan(3);
  });
});

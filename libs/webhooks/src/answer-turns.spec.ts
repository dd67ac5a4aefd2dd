import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AnswerTurns, LINES_IN_A_TURN, MOST_LINES, SLICE_BYTES } from './answer-turns';

/** Says what it is told to, as if it had come over the wire. */
function socketSaying(text: string): Socket {
  const stream = new PassThrough({ highWaterMark: 1_048_576 });
  stream.write(text);
  return Object.assign(stream, { bytesWritten: 0 }) as unknown as Socket;
}

/** As undici reads: whenever there is something, until there is nothing. */
function reading(turns: AnswerTurns, socket: Socket): { lines: () => number } {
  let read = '';
  const readAll = (): void => {
    for (let bytes = socket.read() as Buffer | null; bytes; bytes = socket.read() as Buffer | null)
      read += bytes.toString();
  };
  turns.watch(socket).on('readable', readAll);
  socket.on('error', () => undefined);
  return { lines: () => read.split('\n').length - 1 };
}

describe('answers of receivers', () => {
  test('so many lines of all of them are handed over in one turn, and the rest in the next ones', async () => {
    const turns = new AnswerTurns();
    const readings = Array.from({ length: 8 }, () => reading(turns, socketSaying('a:b\r\n'.repeat(1_000))));
    const lines = (): number => readings.reduce((sum, one) => sum + one.lines(), 0);
    let before = 0;
    let mostInATurn = 0;
    while (before < 8_000) {
      await nextTurn();
      mostInATurn = Math.max(mostInATurn, lines() - before);
      before = lines();
    }
    expect(mostInATurn).toBeLessThanOrEqual(LINES_IN_A_TURN + SLICE_BYTES / 5);
  });

  test.each([
    ['lines', '\n'.repeat(MOST_LINES + 1), MOST_LINES],
    ['bytes', 'x'.repeat(300_000), 0],
  ])('one of too many %s ends its connection', async (_, text, told) => {
    const socket = socketSaying(text);
    const { lines } = reading(new AnswerTurns(), socket);
    const thrown = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(thrown).toMatchObject({ code: 'HPE_TOO_MUCH' });
    expect(lines()).toBe(told);
  });

  test('each request has an answer of its own', async () => {
    const socket = socketSaying('a\n'.repeat(MOST_LINES));
    const { lines } = reading(new AnswerTurns(), socket);
    await nextTurn();
    expect(lines()).toBe(MOST_LINES);
    Object.assign(socket, { bytesWritten: 100 });
    (socket as unknown as PassThrough).write('b\n'.repeat(MOST_LINES));
    while (lines() < 2 * MOST_LINES) await nextTurn();
    expect(socket.destroyed).toBe(false);
  });
});

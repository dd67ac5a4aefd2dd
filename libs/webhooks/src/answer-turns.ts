/**
 * How much of the answers of receivers is parsed in one turn of the event loop, and of one answer at all. Each line costs the
 * same, however little it says: a header, a trailer, a piece of a body. 64 KiB hold sixteen thousand of them, and undici parses
 * whatever has arrived, of each connection, before anybody else has a turn.
 */
import type { Socket } from 'node:net';

/** A page of HTML may have as many lines. What stands behind them is not read. */
export const MOST_LINES = 1_024;
/** The body that is read, what wraps it, and a head. Extensions of a chunk have no end of line and may have no end. */
const MOST_BYTES = 262_144;
/** Of all connections together: it takes some 10 ms to parse them where each is a header. */
export const LINES_IN_A_TURN = 2_048;
/** No longer than an answer may have lines: its beginning, with the status, is always read. */
export const SLICE_BYTES = 1_024;
const LINE_FEED = 0x0a;

interface Answer {
  /** A connection is used for one request after the other: with the next one another answer begins. */
  afterBytes: number;
  lines: number;
  bytes: number;
}

export class AnswerTurns {
  private left = LINES_IN_A_TURN;
  private isTurning = false;
  private readonly due = new Set<Socket>();

  /** Steps between a socket and whoever reads from it with `read`, as undici does. */
  watch(socket: Socket): Socket {
    const read = socket.read.bind(socket) as (bytes?: number) => Buffer | null;
    let answer: Answer = { afterBytes: socket.bytesWritten, lines: 0, bytes: 0 };
    socket.read = (size?: number): Buffer | null => {
      if (size === 0) return read(0); // how Node itself asks for more to come
      if (this.left <= 0) return this.putOff(socket);
      const bytes = read(Math.min(socket.readableLength, SLICE_BYTES) || undefined);
      if (bytes === null) return null;
      if (answer.afterBytes !== socket.bytesWritten) answer = { afterBytes: socket.bytesWritten, lines: 0, bytes: 0 };
      return this.taken(socket, answer, bytes);
    };
    return socket;
  }

  private taken(socket: Socket, answer: Answer, bytes: Buffer): Buffer | null {
    const lines = linesIn(bytes);
    answer.lines += lines;
    answer.bytes += bytes.length;
    this.left -= lines;
    this.inTurn();
    if (answer.lines <= MOST_LINES && answer.bytes <= MOST_BYTES) return bytes;
    socket.destroy(tooMuch());
    return null;
  }

  private putOff(socket: Socket): null {
    this.due.add(socket);
    return null;
  }

  private inTurn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => this.turn());
  }

  /** Readers that were put off read on, one after the other, until this turn is full as well. */
  private turn(): void {
    this.isTurning = false;
    this.left = LINES_IN_A_TURN;
    const waiting = [...this.due];
    this.due.clear();
    for (const socket of waiting) if (!socket.destroyed) socket.emit('readable');
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

const tooMuch = (): Error =>
  Object.assign(new Error(`an answer of more than ${MOST_LINES} lines, or of ${MOST_BYTES} bytes`), {
    code: 'HPE_TOO_MUCH',
  });

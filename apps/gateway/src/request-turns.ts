/**
 * One request of a connection at a time, and of all connections a few in each turn of the event loop. Node hands over
 * whatever has arrived in one turn: thousands of requests in one packet, or one of each of a thousand connections. What is
 * not begun waits here, and others have their turn between. Senders take turns: whoever keeps many connections busy does not
 * stand before somebody who has one. Strangers, who have shown no key, have at least a quarter of a turn,
 * from however many addresses they come; beside them one caller has at most a quarter.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Lanes } from '#libs/batcher';
import { neighbourhoodOf, whenVouchedFor } from '#libs/http-kit';
import type { Standing } from './read-turns';

/** To begin one takes up to a few milliseconds. */
export const MOST_IN_A_TURN = 16;
/** Of a turn that callers and strangers want: for strangers at least, and for one caller at most. */
const [OF_STRANGERS, OF_ONE_CALLER] = [4, 4];

interface Line {
  /** The owner of the key that came over the connection last; before that, an address. */
  sender: string;
  isKnown: boolean;
  running: ServerResponse | null;
  waiting: Parameters<RequestListener>[];
  /** Runs once all of them are answered; nothing is sent after it. */
  last: (() => void) | null;
}

export class RequestTurns {
  private readonly lines = new WeakMap<Socket, Line>();
  /** Those whose connection has none under way, and that found this turn full. By sender. */
  private readonly due = { callers: new Lanes<() => void>(), strangers: new Lanes<() => void>() };
  private begunNow = 0;
  private isTurning = false;

  /** `readOn`: nothing of this connection waits any more. */
  constructor(
    private readonly serve: RequestListener,
    private readonly readOn: (socket: Socket) => void,
  ) {}

  readonly come: RequestListener = (request, response) => {
    const { socket } = request;
    if (!socket.writable) return;
    const line = this.lineOf(socket);
    if (!line.running) return this.begin(line, [request, response]);
    line.waiting.push([request, response]);
    readLater(line, socket); // what is not read yet need not wait here
  };

  /** Whether more of a connection may be parsed: no request of it waits, and somebody takes the body that is read. */
  mayReadOn(socket: Socket): boolean {
    const { waiting = [], running = null } = this.lines.get(socket) ?? {};
    return waiting.length === 0 && (!running || isTaken(running.req));
  }

  /** Whose bytes these are: a newcomer may be a caller. */
  standingOf(socket: Socket): Standing {
    const line = this.lines.get(socket);
    if (line?.isKnown) return 'caller';
    return line?.running ? 'stranger' : 'newcomer';
  }

  /** Bytes that are no request are answered after those that were one before them. */
  lastly(socket: Socket, say: () => void): void {
    const line = this.lineOf(socket);
    if (!line.running) return say();
    if (!line.running.req.complete) return line.running.headersSent ? void socket.destroy() : say();
    line.waiting = line.waiting.filter(([request]) => request.complete);
    line.last = say;
  }

  private lineOf(socket: Socket): Line {
    const known = this.lines.get(socket);
    if (known) return known;
    const sender = neighbourhoodOf(socket.remoteAddress);
    const line: Line = { sender, isKnown: false, running: null, waiting: [], last: null };
    this.lines.set(socket, line);
    whenVouchedFor(socket, (caller) => Object.assign(line, { sender: caller, isKnown: true }));
    return line;
  }

  private begin(line: Line, [request, response]: Parameters<RequestListener>): void {
    line.running = response;
    response.once('close', () => this.ended(line, request.socket));
    this.inTurn(line, () => {
      if (request.socket.writable) this.serve(request, response);
    });
  }

  private inTurn({ sender, isKnown }: Line, work: () => void): void {
    if (!this.isTurning) setImmediate(() => this.turn());
    this.isTurning = true;
    if (this.begunNow >= MOST_IN_A_TURN) return this.due[isKnown ? 'callers' : 'strangers'].add(sender, work);
    this.begunNow += 1;
    work();
  }

  /** Each begins in an immediate of its own, so that what it leaves for later is not put off by the next. */
  private turn(): void {
    const { callers, strangers } = this.due;
    const wanted = Math.min(MOST_IN_A_TURN - OF_STRANGERS, callers.owners * OF_ONE_CALLER);
    const known = callers.take(Math.max(wanted, MOST_IN_A_TURN - strangers.size));
    const works = [...known, ...strangers.take(MOST_IN_A_TURN - known.length)];
    this.begunNow = works.length;
    this.isTurning = works.length > 0;
    for (const work of works) setImmediate(work);
    if (this.isTurning) setImmediate(() => this.turn());
  }

  private ended(line: Line, socket: Socket): void {
    if (!socket.writable) line.waiting = [];
    else if (line.waiting.length > 0) {
      readLater(line, socket);
      return void setImmediate(() => this.next(line, socket));
    }
    line.running = null;
    line.last?.();
    line.last = null;
  }

  private next(line: Line, socket: Socket): void {
    const [first] = socket.writable ? line.waiting.splice(0, 1) : [];
    if (!first) return this.ended(line, socket);
    if (line.waiting.length === 0) this.readOn(socket);
    this.begin(line, first);
  }
}

/**
 * Node reads on whenever a request has arrived or ended, and says so to the socket in a tick of its own: this comes after
 * that, and before the next packet. A socket that is paused already would not say again that it is.
 */
function readLater(line: Line, socket: Socket): void {
  queueMicrotask(() => {
    if (line.waiting.length === 0) return;
    socket.pause();
    socket.emit('pause');
  });
}

/** A body that nobody reads yet waits as bytes: 64 KiB may be ten thousand pieces, and each piece takes more memory than thirty bytes. */
const isTaken = ({ complete, readableFlowing }: IncomingMessage): boolean => complete || readableFlowing === true;

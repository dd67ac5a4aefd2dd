/**
 * How much is parsed in one turn of the event loop, of all connections of a port together. Node parses whatever has arrived:
 * 64 KiB of each of a thousand connections, and each 64 KiB may be ten thousand pieces of a body or sixteen thousand headers.
 * What is too much for this turn waits here, and others have their turn in between.
 */
import type { Socket } from 'node:net';

/** The worst of it takes some 25 ms to parse, and a large body that is a body hardly any time. */
export const BYTES_IN_A_TURN = 262_144;
/**
 * Of one connection, before it is the next one's turn; and as much as is parsed of requests that were sent ahead. Parsed, their heads
 * take ten times the memory of their bytes.
 */
const SLICE_BYTES = 4_096;
/** Most requests are this small. They never wait: a thousand of them at once are what a turn may parse anyway. */
const SMALL_BYTES = 1_024;

type Parse = (bytes: Buffer) => void;

interface Reading {
  socket: Socket;
  parse: Parse;
  hear: Parse;
  /** Has arrived and is not parsed yet. */
  rest: Buffer | null;
  isDue: boolean;
}

export class ReadTurns {
  private readonly readings = new WeakMap<Socket, Reading>();
  private readonly due: Reading[] = [];
  private left = BYTES_IN_A_TURN;
  private isTurning = false;

  /** `mayGoOn`: what was parsed of this connection is taken already. Otherwise its rest waits, until it is resumed. */
  constructor(private readonly mayGoOn: (socket: Socket) => boolean) {}

  /** Steps between the socket and the listener by which Node's server parses. Who hears a socket's data gets it all. */
  watch(socket: Socket): void {
    const [parse] = socket.listeners('data') as Parse[];
    if (!parse) return;
    const reading: Reading = { socket, parse, rest: null, isDue: false, hear: (bytes) => this.arrived(reading, bytes) };
    this.readings.set(socket, reading);
    socket.removeListener('data', parse);
    socket.on('data', reading.hear);
    socket.on('resume', () => reading.rest && !isOver(reading) && this.putOff(reading));
  }

  /** Its rest comes first. */
  goOn(socket: Socket): void {
    const reading = this.readings.get(socket);
    if (reading?.rest) this.putOff(reading);
    else socket.resume();
  }

  private arrived(reading: Reading, bytes: Buffer): void {
    this.inTurn();
    if (reading.rest === null && (bytes.length <= SMALL_BYTES || bytes.length <= Math.min(this.left, SLICE_BYTES)))
      return this.parse(reading, bytes);
    reading.rest = reading.rest ? Buffer.concat([reading.rest, bytes]) : bytes;
    this.putOff(reading);
  }

  private parse({ parse }: Reading, bytes: Buffer): void {
    this.left -= bytes.length;
    parse(bytes);
  }

  private putOff(reading: Reading): void {
    reading.socket.pause();
    if (reading.isDue) return;
    reading.isDue = true;
    this.due.push(reading);
    this.inTurn();
  }

  private inTurn(): void {
    if (this.isTurning) return;
    this.isTurning = true;
    setImmediate(() => this.turn());
  }

  private turn(): void {
    this.isTurning = false;
    this.left = BYTES_IN_A_TURN;
    if (this.due.length > 0) this.inTurn();
    while (this.left > 0) {
      const reading = this.due.shift();
      if (!reading) return;
      reading.isDue = false;
      this.readSome(reading);
    }
  }

  private readSome(reading: Reading): void {
    const { socket, rest } = reading;
    if (isOver(reading)) reading.rest = null;
    if (!reading.rest || !rest || !this.mayGoOn(socket)) return;
    reading.rest = rest.length > SLICE_BYTES ? rest.subarray(SLICE_BYTES) : null;
    this.parse(reading, rest.subarray(0, SLICE_BYTES));
    if (isOver(reading)) reading.rest = null;
    else if (this.mayGoOn(socket)) this.goOn(socket);
  }
}

/** Nobody parses it any more. Its parser may be another connection's by now. */
const isOver = ({ socket, hear }: Reading): boolean => socket.destroyed || !socket.listeners('data').includes(hear);

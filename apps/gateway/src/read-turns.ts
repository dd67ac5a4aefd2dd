/**
 * How much is parsed in one turn of the event loop, of all connections of a port together. Node parses whatever has arrived:
 * 64 KiB of each of a thousand connections, and each 64 KiB may be ten thousand pieces of a body, sixteen thousand headers or
 * three thousand requests. What is too much for this turn waits here, and others have their turn in between.
 */
import type { Socket } from 'node:net';

/** The worst of it takes some 25 ms to parse, and a large body that is a body hardly any time. */
export const BYTES_IN_A_TURN = 262_144;
/** Of one connection, before it is the next one's turn. */
const SLICE_BYTES = 4_096;
/** The cost of a request beside its bytes. Eighteen bytes make one, but what is created for it takes longer than reading it. */
const BYTES_OF_A_REQUEST = 1_024;
/** The cost of parsing anything, however short. */
const LEAST_BYTES = 64;
/** Nothing is parsed beyond it at one go: the next request waits as bytes, and not as objects that take ten times the memory. */
const END_OF_HEAD = '\r\n\r\n';

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

  /** The parsed bytes were a request. */
  readRequest(): void {
    this.left -= BYTES_OF_A_REQUEST;
  }

  /** Its rest comes first. */
  goOn(socket: Socket): void {
    const reading = this.readings.get(socket);
    if (reading?.rest) this.putOff(reading);
    else socket.resume();
  }

  private arrived(reading: Reading, bytes: Buffer): void {
    this.inTurn();
    const isBehind = reading.rest !== null;
    reading.rest = reading.rest ? Buffer.concat([reading.rest, bytes]) : bytes;
    if (isBehind || bytes.length > Math.min(this.left, SLICE_BYTES)) return this.putOff(reading);
    this.readSome(reading);
    if (reading.rest) this.putOff(reading);
  }

  private parse({ parse }: Reading, bytes: Buffer): void {
    this.left -= Math.max(bytes.length, LEAST_BYTES);
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
      if (!isOver(reading) && this.mayGoOn(reading.socket)) this.goOn(reading.socket);
    }
  }

  private readSome(reading: Reading): void {
    for (let most = SLICE_BYTES; most > 0 && reading.rest && this.left > 0;) {
      if (isOver(reading) || !this.mayGoOn(reading.socket)) break;
      most -= this.readOnce(reading, reading.rest, most);
    }
    if (isOver(reading)) reading.rest = null;
  }

  private readOnce(reading: Reading, rest: Buffer, most: number): number {
    const first = rest.subarray(0, most);
    const end = first.indexOf(END_OF_HEAD);
    const length = end < 0 ? first.length : end + END_OF_HEAD.length;
    reading.rest = length < rest.length ? rest.subarray(length) : null;
    this.parse(reading, rest.subarray(0, length));
    return length;
  }
}

/** Nobody parses it any more. Its parser may be another connection's by now. */
const isOver = ({ socket, hear }: Reading): boolean => socket.destroyed || !socket.listeners('data').includes(hear);

/**
 * How much is parsed in one turn of the event loop, of all connections of a port together. Node parses whatever has arrived:
 * 64 KiB of each of a thousand connections, and each 64 KiB may be ten thousand pieces of a body, sixteen thousand headers or
 * three thousand requests. What is too much for this turn waits here, and others have their turn in between.
 */
import type { Socket } from 'node:net';

/** A large body that is a body takes hardly any time. */
export const BYTES_IN_A_TURN = 262_144;
/** What takes longer to parse and to hand on counts as more bytes: a turn of the worst of it would take some 75 ms. */
const BYTES_OF_A_MS = 32_768;
/** The share of strangers' bodies in a turn. A new connection waits for one turn for each that came before it: turns have to be short. */
const BYTES_OF_STRANGERS = 32_768;
/** Of one connection, before it is the next one's turn. */
const [SLICE_BYTES, SLICE_OF_A_STRANGER] = [4_096, 1_024];
/** The cost of a request beside its bytes. Eighteen bytes make one, but what is created for it takes longer than reading it. */
const BYTES_OF_A_REQUEST = 1_024;
/** The cost of parsing anything, however short. */
const LEAST_BYTES = 64;
/** Nothing is parsed beyond it at one go: the next request waits as bytes, and not as objects that take ten times the memory. */
const END_OF_HEAD = '\r\n\r\n';

/** stranger: sends the body of a request that began, and showed no key. newcomer: no request of it began yet. */
export type Standing = 'caller' | 'newcomer' | 'stranger';

/** While all of them want to be read. */
const TAKING_TURNS: readonly Standing[] = ['caller', 'newcomer', 'caller', 'stranger'];

type Parse = (bytes: Buffer) => void;

interface Requests {
  /** What was parsed of this connection is taken already. Otherwise its rest waits, until it is resumed. */
  mayReadOn(socket: Socket): boolean;
  standingOf(socket: Socket): Standing;
}

interface Reading {
  socket: Socket;
  parse: Parse;
  hear: Parse;
  /** Has arrived and is not parsed yet. */
  rest: Buffer | null;
  /** Once it waits for its turn. */
  dueAs: Standing | null;
}

export class ReadTurns {
  private readonly readings = new WeakMap<Socket, Reading>();
  private readonly due: Record<Standing, Reading[]> = { caller: [], newcomer: [], stranger: [] };
  private picked = 0;
  private left = BYTES_IN_A_TURN;
  private leftOfStrangers = BYTES_OF_STRANGERS;
  private isTurning = false;

  constructor(private readonly requests: Requests) {}

  /** Steps between the socket and the listener by which Node's server parses. Who hears a socket's data gets it all. */
  watch(socket: Socket): void {
    const [parse] = socket.listeners('data') as Parse[];
    if (!parse) return;
    const reading: Reading = { socket, parse, rest: null, dueAs: null, hear: (bytes) => this.arrived(reading, bytes) };
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
    const since = performance.now();
    parse(bytes);
    this.left -= Math.max(bytes.length, LEAST_BYTES, (performance.now() - since) * BYTES_OF_A_MS);
  }

  private putOff(reading: Reading): void {
    reading.socket.pause();
    const standing = this.requests.standingOf(reading.socket);
    // Who is found to be a caller leaves the line of strangers.
    if (reading.dueAs === standing || (reading.dueAs && standing !== 'caller')) return;
    reading.dueAs = standing;
    this.due[standing].push(reading);
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
    this.leftOfStrangers = BYTES_OF_STRANGERS;
    if (Object.values(this.due).some(({ length }) => length > 0)) this.inTurn();
    while (this.left > 0) {
      const reading = this.next();
      if (!reading) return;
      const [left, isStranger] = [this.left, reading.dueAs === 'stranger'];
      reading.dueAs = null;
      this.readSome(reading, isStranger ? SLICE_OF_A_STRANGER : SLICE_BYTES);
      if (isStranger) this.leftOfStrangers -= left - this.left;
      if (!isOver(reading) && this.requests.mayReadOn(reading.socket)) this.goOn(reading.socket);
    }
  }

  private next(): Reading | undefined {
    for (let tried = 0; tried < TAKING_TURNS.length; tried += 1) {
      this.picked += 1;
      const standing = TAKING_TURNS[this.picked % TAKING_TURNS.length] as Standing;
      const first = standing === 'stranger' && this.leftOfStrangers <= 0 ? undefined : this.firstOf(standing);
      if (first) return first;
    }
    return undefined;
  }

  /** But for those who stand in another line by now. */
  private firstOf(standing: Standing): Reading | undefined {
    for (;;) {
      const first = this.due[standing].shift();
      if (!first || first.dueAs === standing) return first;
    }
  }

  private readSome(reading: Reading, slice = SLICE_BYTES): void {
    for (let most = slice; most > 0 && reading.rest && this.left > 0;) {
      if (isOver(reading) || !this.requests.mayReadOn(reading.socket)) break;
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

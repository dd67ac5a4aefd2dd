/**
 * How much memory the bodies of requests may take, in all and of one sender, from the first byte until the answer is out.
 * Strangers, who may only send to the few open routes, have a room of their own and none in that of callers.
 */
import { Refusal } from '#libs/domain';
import { metrics } from '#libs/telemetry';

/** Of the room of callers, and of that of strangers. */
const SHARE_OF_ONE = 1 / 4;
const SHARE_OF_STRANGERS = 1 / 8;

export interface Sender {
  /** A client's or an operator's id, or an address. */
  name: string;
  known: boolean;
}

interface Limits {
  /** Most bodies are this small. They are always let in: as many as there are connections cost little. */
  small: number;
  /** So is one of this size from who has nothing else under way. */
  alone: number;
  largest: number;
}

const OF_CALLERS: Limits = { small: 16_384, alone: 16_384, largest: 1_048_576 };
/** A provider's notice is a few hundred bytes, of an account some thousand, and nobody knows yet that it comes from one. */
const OF_STRANGERS: Limits = { small: 4_096, alone: 16_384, largest: 65_536 };

export const limitsOf = ({ known }: Sender): Limits => (known ? OF_CALLERS : OF_STRANGERS);

export class BodyRoom {
  private readonly callers: Room;
  private readonly strangers: Room;

  constructor(bytes: number) {
    this.callers = new Room(bytes);
    this.strangers = new Room(bytes * SHARE_OF_STRANGERS);
  }

  /** For one body. It begins with nothing. */
  placeFor(sender: Sender): Place {
    return new Place(sender.known ? this.callers : this.strangers, sender);
  }
}

/** The room that one body takes, however often it grows. */
export class Place {
  private bytes = 0;

  constructor(
    private readonly room: Room,
    private readonly sender: Sender,
  ) {}

  growTo(bytes: number): void {
    const more = bytes - this.bytes;
    const { small, alone } = limitsOf(this.sender);
    const isLetIn = bytes <= (this.room.of(this.sender.name) === this.bytes ? alone : small);
    if (!isLetIn && !this.room.has(this.sender.name, more)) throw full();
    this.room.move(this.sender.name, more);
    this.bytes = bytes;
  }

  giveBack(): void {
    this.room.move(this.sender.name, -this.bytes);
    this.bytes = 0;
  }
}

class Room {
  private readonly share: number;
  private readonly bySender = new Map<string, number>();
  /** Small bodies may bring a sender past its share: what is beyond takes nothing from the others. */
  private takenOfShares = 0;

  constructor(private readonly bytes: number) {
    this.share = bytes * SHARE_OF_ONE;
  }

  has(name: string, more: number): boolean {
    return this.of(name) + more <= this.share && this.takenOfShares + more <= this.bytes;
  }

  move(name: string, bytes: number): void {
    const before = this.of(name);
    const after = before + bytes;
    this.takenOfShares += Math.min(after, this.share) - Math.min(before, this.share);
    if (after > 0) this.bySender.set(name, after);
    else this.bySender.delete(name);
    metrics.bodyBytes.inc(bytes);
  }

  of(name: string): number {
    return this.bySender.get(name) ?? 0;
  }
}

function full(): Refusal {
  metrics.turnedAway.inc({ for: 'bodies' });
  return new Refusal(
    'service_unavailable',
    'There are more bodies under way than there is room for. Nothing was done: send the same request again, or smaller ones.',
  );
}

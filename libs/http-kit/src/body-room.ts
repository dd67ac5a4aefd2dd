/**
 * How much memory the bodies of requests may take, in all and of one sender, from the first byte until the answer is out.
 * Strangers, who may only send to the few open routes, have a room of their own and none in that of callers.
 */
import { Refusal } from '#libs/domain';
import { metrics } from '#libs/telemetry';

/** Most requests are this small. They are always let in: as many as there are connections cost little. */
const SMALL_BYTES = 16_384;
/** Of the room of callers, and of that of strangers. */
const SHARE_OF_ONE = 1 / 4;
const SHARE_OF_STRANGERS = 1 / 8;

export interface Sender {
  /** A client's or an operator's id, or an address. */
  name: string;
  known: boolean;
}

interface Room {
  bytes: number;
  taken: number;
  bySender: Map<string, number>;
}

const roomOf = (bytes: number): Room => ({ bytes, taken: 0, bySender: new Map() });

export class BodyRoom {
  private readonly callers: Room;
  private readonly strangers: Room;

  constructor(bytes: number) {
    this.callers = roomOf(bytes);
    this.strangers = roomOf(bytes * SHARE_OF_STRANGERS);
  }

  /** Answers a function that gives it back. */
  take({ name, known }: Sender, bytes: number): () => void {
    const room = known ? this.callers : this.strangers;
    const mine = room.bySender.get(name) ?? 0;
    const isFull = room.taken + bytes > room.bytes || mine + bytes > room.bytes * SHARE_OF_ONE;
    if (isFull && !(known && bytes <= SMALL_BYTES)) throw full();
    this.move(room, name, bytes);
    return () => this.move(room, name, -bytes);
  }

  private move(room: Room, name: string, bytes: number): void {
    room.taken += bytes;
    const mine = (room.bySender.get(name) ?? 0) + bytes;
    if (mine > 0) room.bySender.set(name, mine);
    else room.bySender.delete(name);
    metrics.bodyBytes.inc(bytes);
  }
}

function full(): Refusal {
  metrics.turnedAway.inc({ for: 'bodies' });
  return new Refusal(
    'service_unavailable',
    'There are more bodies under way than there is room for. Nothing was done: send the same request again, or smaller ones.',
  );
}

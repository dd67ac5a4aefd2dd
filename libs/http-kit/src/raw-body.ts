/**
 * Reads a request's bytes before anything looks at them: signatures cover bytes. The sender is checked first: nothing is read for a key
 * nobody has, for a path nobody answers at, or if there is no room.
 */
import type { NextFunction, Request, Response } from 'express';
import { Refusal } from '#libs/domain';
import { loopWatch } from '#libs/telemetry';
import { type BodyRoom, limitsOf, type Place, type Sender } from './body-room';
import type { GatewayRequest } from './gateway-request';
import { hasLeft } from './late-wish';
import { isLeft, leaveUnread } from './unread';

export const MAX_BODY_BYTES = 1_048_576;
/** Each piece costs the same, however little it holds, and 64 KiB of the wire hold ten thousand of one byte. */
const MANY_PIECES = 1_024;
const LEAST_OF_A_PIECE = 32;
const NONE = Buffer.alloc(0);
/** In place of a body whose sender is gone: its memory was given back, and it must not be taken for an empty one. */
const LET_GO = Buffer.alloc(0);

/** Says who sends a body, by the request's head alone; null if nobody reads it. Refuses those it does not know. */
export type WhoSends = (request: GatewayRequest) => Promise<Sender | null>;

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

export function readRawBody(whoSends: WhoSends, room: BodyRoom): Middleware {
  const arrived = async (request: GatewayRequest, response: Response): Promise<void> => {
    if (hasBody(request)) await read(request, response, whoSends, room);
    if (mayBeStale()) await refuseIfGone(request);
  };
  return (request, response, next) => {
    const target = request as GatewayRequest;
    target.rawBody = NONE;
    if (isLeft(request)) return;
    if (!hasBody(request) && !mayBeStale()) return next();
    arrived(target, response).then(
      () => next(),
      (thrown: unknown) => {
        leaveUnread(request, response);
        next(thrown);
      },
    );
  };
}

/** A signed wish is carried out as it was sent, or not at all: without its body it could be one for something else. */
export function refuseIfLetGo({ rawBody }: GatewayRequest): void {
  if (rawBody === LET_GO) throw gone();
}

/** The sender of a request that waited while this process stood still may have gone. After this long all of those have begun. */
const mayBeStale = (): boolean => loopWatch.stoodStillWithin(30_000);

/** It waited while this process stood still. Who has gone may have asked another since, and for something else. */
async function refuseIfGone(request: GatewayRequest): Promise<void> {
  if (await hasLeft(request)) throw gone();
}

/** Stands behind whatever refuses a request before its body is asked for: nobody is going to read that body either. */
export function leaveRefusedUnread(refusal: unknown, request: Request, response: Response, next: NextFunction): void {
  if (hasBody(request)) leaveUnread(request, response);
  next(refusal);
}

const declaredBytes = (request: Request): number => Number(request.headers['content-length'] ?? 0);
const hasBody = (request: Request): boolean =>
  declaredBytes(request) > 0 || request.headers['transfer-encoding'] !== undefined;

async function read(request: GatewayRequest, response: Response, whoSends: WhoSends, room: BodyRoom): Promise<void> {
  const declared = declaredBytes(request);
  if (declared > MAX_BODY_BYTES) throw tooLarge(MAX_BODY_BYTES);
  const sender = await whoSends(request);
  if (response.closed) throw gone();
  if (!sender) return leaveUnread(request, response);
  const { small, largest } = limitsOf(sender);
  if (declared > largest) throw tooLarge(largest);
  // A stranger can announce any length for free: they get room only for what arrives.
  const first = (sender.known && declared) || small;
  const bytes = new Bytes(room.placeFor(sender), { first, largest });
  response.once('close', () => {
    bytes.giveBack();
    request.rawBody = LET_GO;
  });
  request.rawBody = await collected(request, bytes);
}

/** Settles with the last byte. A sender that goes away in the middle leaves nothing behind, and is answered by nobody. */
function collected(request: GatewayRequest, bytes: Bytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request.on('data', (piece: Buffer) => {
      try {
        bytes.add(piece);
      } catch (refusal) {
        request.removeAllListeners('data');
        reject(refusal as Error);
      }
    });
    request.once('end', () => resolve(bytes.all()));
  });
}

/** One piece of memory, as large as was said it would be; if nothing was said, it grows with what comes. */
class Bytes {
  private memory = NONE;
  private length = 0;
  private pieces = 0;

  constructor(
    private readonly place: Place,
    private readonly sizes: { first: number; largest: number },
  ) {
    place.growTo(sizes.first);
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (length > this.sizes.largest) throw tooLarge(this.sizes.largest);
    this.pieces += 1;
    if (this.pieces > MANY_PIECES && length < this.pieces * LEAST_OF_A_PIECE) throw inPieces();
    if (length > this.memory.length) this.grow(length);
    piece.copy(this.memory, this.length);
    this.length = length;
  }

  all(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  giveBack(): void {
    this.memory = NONE;
    this.place.giveBack();
  }

  private grow(needed: number): void {
    const { first, largest } = this.sizes;
    const wanted = Math.max(first, Math.min(2 * this.memory.length, largest), needed);
    this.place.growTo(wanted);
    const larger = Buffer.allocUnsafeSlow(wanted);
    this.memory.copy(larger, 0, 0, this.length);
    this.memory = larger;
  }
}

function tooLarge(largest: number): Refusal {
  return new Refusal('payload_too_large', `The body is over ${largest} bytes. Send less in one request.`);
}

/** Nobody hears it. */
const gone = (): Refusal =>
  new Refusal('invalid_request', 'The connection ended before its body was looked into. Nothing was done.');

function inPieces(): Refusal {
  return new Refusal(
    'invalid_request',
    `The body comes in pieces of a few bytes. Send ${LEAST_OF_A_PIECE} or more in each.`,
  );
}

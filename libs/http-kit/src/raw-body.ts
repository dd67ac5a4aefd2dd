/**
 * Reads a request's bytes before anything looks at them: signatures cover bytes. Who sends them is asked first: nothing is
 * read for a key nobody has, for a path nobody answers at, or where there is no room.
 */
import type { NextFunction, Request, Response } from 'express';
import { Refusal } from '#libs/domain';
import { type BodyRoom, type Sender } from './body-room';
import type { GatewayRequest } from './gateway-request';
import { isLeft, leaveUnread } from './unread';

export const MAX_BODY_BYTES = 1_048_576;
const FIRST_PIECE_BYTES = 16_384;
const NONE = Buffer.alloc(0);

/** Says who sends a body, by the request's head alone; null where nobody reads it. Refuses those it does not know. */
export type WhoSends = (request: GatewayRequest) => Promise<Sender | null>;

type Middleware = (request: Request, response: Response, next: NextFunction) => void;

export function readRawBody(whoSends: WhoSends, room: BodyRoom): Middleware {
  return (request, response, next) => {
    const target = request as GatewayRequest;
    target.rawBody = NONE;
    if (isLeft(request)) return;
    if (!hasBody(request)) return next();
    read(target, response, whoSends, room).then(
      () => next(),
      (thrown: unknown) => {
        leaveUnread(request, response);
        next(thrown);
      },
    );
  };
}

const declaredBytes = (request: Request): number => Number(request.headers['content-length'] ?? 0);
const hasBody = (request: Request): boolean =>
  declaredBytes(request) > 0 || request.headers['transfer-encoding'] !== undefined;

async function read(request: GatewayRequest, response: Response, whoSends: WhoSends, room: BodyRoom): Promise<void> {
  const declared = declaredBytes(request);
  if (declared > MAX_BODY_BYTES) throw tooLarge();
  const sender = await whoSends(request);
  if (!sender || response.closed) return leaveUnread(request, response);
  const bytes = new Bytes((more) => room.take(sender, more), declared || FIRST_PIECE_BYTES);
  response.once('close', () => {
    bytes.giveBack();
    request.rawBody = NONE;
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

/** One piece of memory, as large as was said it would be; where nothing was said, it grows with what comes. */
class Bytes {
  private memory = NONE;
  private length = 0;
  private readonly returns: (() => void)[] = [];

  constructor(
    private readonly take: (bytes: number) => () => void,
    private readonly first: number,
  ) {
    this.returns.push(take(first));
  }

  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    if (length > this.memory.length) this.grow(length);
    piece.copy(this.memory, this.length);
    this.length = length;
  }

  all(): Buffer {
    return this.memory.subarray(0, this.length);
  }

  giveBack(): void {
    this.memory = NONE;
    for (const giveBack of this.returns.splice(0)) giveBack();
  }

  private grow(needed: number): void {
    const now = this.memory.length;
    const wanted = Math.max(this.first, Math.min(2 * now, MAX_BODY_BYTES), needed);
    const taken = Math.max(now, this.first);
    if (wanted > taken) this.returns.push(this.take(wanted - taken));
    const larger = Buffer.allocUnsafeSlow(wanted);
    this.memory.copy(larger, 0, 0, this.length);
    this.memory = larger;
  }
}

function tooLarge(): Refusal {
  return new Refusal('payload_too_large', `The body is over ${MAX_BODY_BYTES} bytes. Send less in one request.`);
}

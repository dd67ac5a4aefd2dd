/** What the edge adds to a request on its way in. */
import type { Socket } from 'node:net';
import type { Request } from 'express';

export interface GatewayRequest extends Request {
  requestId: string;
  /** The exact bytes received; signatures are checked over these. */
  rawBody: Buffer;
  /** The route that was matched, for logs and metrics, as '/api/v1/payouts/:id'. */
  routePath?: string;
  /** The caller, for the request's log line: a client's or an operator's id. */
  callerId?: string;
  /** It is refused, and its answer put off: nothing more is done for it. */
  isPutOff?: boolean;
}

/** A header that was sent exactly once. Node joins or drops duplicates, so the raw list decides. */
export function singleHeader(request: Request, name: string): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() !== name) continue;
    if (found !== undefined) return undefined;
    found = request.rawHeaders[index + 1];
  }
  return found;
}

export const isRepeated = (request: Request, name: string): boolean =>
  request.headers[name] !== undefined && singleHeader(request, name) === undefined;

/** A socket tells of it by this event. */
const VOUCHED = 'vouchedFor';

/** A valid key or token of this caller came over this connection. */
export const vouchFor = ({ socket }: Request, caller: string): void => void socket.emit(VOUCHED, caller);
export const whenVouchedFor = (socket: Socket, hear: (caller: string) => void): void => void socket.on(VOUCHED, hear);

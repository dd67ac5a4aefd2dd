/**
 * What a call throws. `mayHaveHappened` is the question that matters with money: false, nothing was done; true, the answer
 * was lost or spoke of trouble, and the gateway may have done it.
 */
import type { ErrorCode, ErrorDetails } from './api-types';

export abstract class PayoutGatewayError extends Error {
  constructor(
    message: string,
    readonly mayHaveHappened: boolean,
    options?: { cause: unknown },
  ) {
    super(message, options);
  }
}

/** No answer came: refused, cut, or too late. `cause` is what fetch said. */
export class NoAnswer extends PayoutGatewayError {
  override readonly name = 'NoAnswer';
}

/** An answer as it came, and what it leaves open. */
export interface ErrorAnswer {
  status: number;
  body: unknown;
  requestId: string | null;
  mayHaveHappened: boolean;
}

/** An answer that is no success. Branch on `code`, or on the class; the message is for people. */
export class GatewayError extends PayoutGatewayError {
  override readonly name: string = 'GatewayError';
  readonly status: number;
  /** `unreadable_answer` if something between us and the gateway answered in its place. Codes are only ever added. */
  readonly code: ErrorCode | 'unreadable_answer';
  readonly details?: ErrorDetails;
  /** The id by which the gateway's operators find the request. */
  readonly requestId: string | null;

  constructor({ status, body, requestId, mayHaveHappened }: ErrorAnswer) {
    const { error, message, details } = (body ?? {}) as { error?: ErrorCode; message?: string; details?: ErrorDetails };
    const code = error ?? 'unreadable_answer';
    super(message ? `${code}: ${message}` : `${code} (${status})`, mayHaveHappened);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

/** 400, 413, 415: `details.fields` says what is wrong where. */
export class InvalidRequest extends GatewayError {
  override readonly name = 'InvalidRequest';
}

/** 401: the key, the secret, or the clock of this machine. */
export class NotAuthenticated extends GatewayError {
  override readonly name = 'NotAuthenticated';
}

/** 403: the key lacks the scope, or the client is suspended. */
export class NotAllowed extends GatewayError {
  override readonly name = 'NotAllowed';
}

/** 404: it is not there, or not yours. */
export class NotFound extends GatewayError {
  override readonly name = 'NotFound';
}

/** 409 and 422: it is there, and in no state for this, or another body has this key. */
export class Conflict extends GatewayError {
  override readonly name = 'Conflict';
}

/** 429, and there was no try left. */
export class RateLimited extends GatewayError {
  override readonly name = 'RateLimited';
}

/** 408 and 5xx, and there was no try left. */
export class ServiceTrouble extends GatewayError {
  override readonly name = 'ServiceTrouble';
}

const CLASSES: Record<number, typeof GatewayError> = {
  400: InvalidRequest,
  401: NotAuthenticated,
  403: NotAllowed,
  404: NotFound,
  408: ServiceTrouble,
  409: Conflict,
  413: InvalidRequest,
  415: InvalidRequest,
  422: Conflict,
  429: RateLimited,
};

export function errorOf(answer: ErrorAnswer): GatewayError {
  const Class = CLASSES[answer.status] ?? (answer.status >= 500 ? ServiceTrouble : GatewayError);
  return new Class(answer);
}

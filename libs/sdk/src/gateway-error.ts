/** An answer that is no success. Branch on `code` only; the message is for people. */
export interface GatewayErrorDetails {
  fields?: { path: string; message: string }[];
  indices?: number[];
}

export interface ErrorAnswer {
  status: number;
  body: unknown;
  requestId: string | null;
}

export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly status: number;
  /** `unreadable_answer` if something between us and the gateway answered in its place. */
  readonly code: string;
  readonly details?: GatewayErrorDetails;
  /** What the gateway's operators find the request by. */
  readonly requestId: string | null;

  constructor({ status, body, requestId }: ErrorAnswer) {
    const { error, message, details } = (body ?? {}) as {
      error?: string;
      message?: string;
      details?: GatewayErrorDetails;
    };
    const code = error ?? 'unreadable_answer';
    super(message ? `${code}: ${message}` : `${code} (${status})`);
    this.status = status;
    this.code = code;
    this.details = details;
    this.requestId = requestId;
  }
}

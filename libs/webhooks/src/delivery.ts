/** The words the parts of a delivery share. */
import type { FailureKind } from './failure-kind';

export interface Delivery {
  url: string;
  /** Of the URL, with its port: the rest of it is nobody else's business. */
  host: string;
  headers: Record<string, string>;
  body: string;
}

export interface Delivered {
  kind: 'delivered';
  statusCode: number;
  excerpt: string | null;
}

/** Worth another attempt. */
export interface Failed {
  kind: 'failed';
  statusCode: number | null;
  reason: FailureKind;
  error: string;
  excerpt: string | null;
}

/** Nothing was sent, and no further attempt would change that. */
export interface Undeliverable {
  kind: 'undeliverable';
  reason: FailureKind;
  error: string;
}

export type Outcome = Delivered | Failed | Undeliverable;

export interface DeliveryLimits {
  /** For all of an attempt: name, connection, headers and body. */
  deadlineMs: number;
  /** How much of an answer is read. */
  answerBytes: number;
  /** Attempts at one host that this process has under way, whosever they are, and at most so many of one client. */
  perHost: number;
  perClient: number;
  /** So long an attempt waits for one of them, before it is put off. */
  slotWaitMs: number;
}

export const DELIVERY_LIMITS = Symbol('DeliveryLimits');
export const deliveryLimits: DeliveryLimits = {
  deadlineMs: 10_000,
  answerBytes: 65_536,
  perHost: 48,
  perClient: 24,
  slotWaitMs: 2_000,
};

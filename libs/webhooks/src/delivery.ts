/** The words the parts of a delivery share. */
export interface Delivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export type Outcome =
  | { kind: 'delivered'; statusCode: number }
  /** Worth another attempt. */
  | { kind: 'failed'; statusCode: number | null; error: string }
  /** Nothing was sent, and no further attempt would change that. */
  | { kind: 'undeliverable'; error: string };

export interface DeliveryLimits {
  /** For all of an attempt: name, connection, headers and body. */
  deadlineMs: number;
  /** How much of an answer is read. */
  answerBytes: number;
  /** Renewed while an attempt goes on; what a killed process left is taken up after it. */
  leaseSeconds: number;
}

export const DELIVERY_LIMITS = Symbol('DeliveryLimits');
export const deliveryLimits: DeliveryLimits = { deadlineMs: 10_000, answerBytes: 65_536, leaseSeconds: 5 };

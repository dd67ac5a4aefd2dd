/** What a caller says of a row that becomes owed. */
export interface PushRow {
  payeeId?: string | null;
  email?: string | null;
  amountCents: number;
  currency: string;
  externalRef: string;
  name?: string | null;
  reason?: string | null;
}

/** The same with the payee it is for. */
export type TargetedPush = PushRow & { payeeId: string };

/** Something that must never be, and whom it is about: their history is what a reader needs next. */
export interface Violation {
  rule: string;
  text: string;
  payees?: string[];
  codes?: string[];
}

export function eur(cents: number): string {
  return `${(cents / 100).toFixed(2)}`;
}

/** The text that the payee reads on their bank statement. */

const MOST = 22;
const TAKEN_OUT = /[^ -~]|[<>\\'"*]/g;

/** Stripe takes plain letters, and no more than 22 characters; left out if nothing readable remains. */
export function descriptorOf(payerName: string | null): { statement_descriptor?: string } {
  const plain = (payerName ?? '').normalize('NFKD').replace(TAKEN_OUT, '').replace(/ +/g, ' ').trim();
  const cut = plain.slice(0, MOST).trim();
  return /[A-Za-z]/.test(cut) ? { statement_descriptor: cut } : {};
}

/** The text that the payee reads on their bank statement. */

const MOST = 140;
/** Banks of the regular schemes print no other characters. */
const TAKEN_OUT = /[^A-Za-z0-9/?:().,'+ -]/g;

/** The payer's name as far as a bank can print it; left out if nothing readable remains. */
export function descriptionOf(payerName: string | null): { description?: string } {
  const plain = (payerName ?? '').normalize('NFKD').replace(TAKEN_OUT, '').replace(/ +/g, ' ').trim();
  const cut = plain.slice(0, MOST).trim();
  return /[A-Za-z]/.test(cut) ? { description: cut } : {};
}

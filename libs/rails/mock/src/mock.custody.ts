/** Until it arrives the money is with the provider, unless the order asks to wait for its payee as on other rails. */
import { type Custody, directiveOf } from '#libs/rail-kit';

export function custodyOf(reason: string | null): Custody {
  const directive = directiveOf(reason);
  if (directive === 'claim') return directive;
  return directive?.startsWith('swap') ? 'swap' : 'custodial';
}

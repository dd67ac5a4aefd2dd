/** Whether an account that a payee is paid to has pages of its rail on which they can change it. */
import type { Client } from '#libs/clients';
import { hostsOnboarding } from '#libs/rail-kit';
import type { Rails } from '#libs/rail-registry';

export function hasAccountPages({ testMode }: Pick<Client, 'testMode'>, found: ReturnType<Rails['find']>): boolean {
  if (found?.traits.custody !== 'custodial') return false;
  return testMode || (found.rail !== null && hostsOnboarding(found.rail));
}

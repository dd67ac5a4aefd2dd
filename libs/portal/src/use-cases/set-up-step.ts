/** What keeps a payee from being paid: something for them to do or to wait for, or something they cannot change. */
import type { Client } from '#libs/clients';
import type { Payee, Readiness } from '#libs/payees';

export type SetUpStep = 'start' | 'checking' | 'rejected' | 'restricted';

/** An obstacle to every payment to a payee, whatever they do themselves. */
export type Hindrance = 'blocked' | 'no_rail';

/** Nothing that a payee could do on any page changes these. */
const UNSERVED: ReadonlySet<string> = new Set([
  ...['no_rail', 'rail_not_allowed', 'provider_not_configured'],
  ...['provider_not_supported', 'country_not_supported_by_provider'],
]);

/** Nor these: whoever pays them has to say more of them. */
const OF_CALLER: ReadonlySet<string> = new Set(['missing_email', 'missing_country', 'missing_name']);
export const lacksDetails = ({ blockers }: Pick<Readiness, 'blockers'>): boolean =>
  blockers.some((blocker) => OF_CALLER.has(blocker));

/** null: nothing does. `isCarried`: their rail can be asked here. */
export function hindranceOf(
  { status }: Pick<Client, 'status'>,
  { blockers }: Pick<Readiness, 'blockers'>,
  isCarried: boolean,
): Hindrance | null {
  if (status !== 'active' || blockers.includes('route_blocked')) return 'blocked';
  return !isCarried || blockers.some((blocker) => UNSERVED.has(blocker)) ? 'no_rail' : null;
}

/** Payments that were not sent yet wait, although nothing else holds them. */
export const isStopped = ({ status }: Pick<Client, 'status'>, { blocked }: Pick<Payee, 'blocked'>): boolean =>
  status !== 'active' || blocked;

/** As far as it is known without their rail being asked. */
export const isServed = (client: Pick<Client, 'status'>, payee: Pick<Payee, 'blocked' | 'provider'>): boolean =>
  !isStopped(client, payee) && payee.provider !== null;

/**
 * Whoever has not handed in everything is not only waited for: the rail waits for them. In a test nothing is handed in: whose outcome
 * is `pending` is being checked.
 */
export function setUpStep(
  { kycStatus, onboardingStatus }: Pick<Payee, 'kycStatus' | 'onboardingStatus'>,
  { testMode }: Pick<Client, 'testMode'>,
): SetUpStep {
  const isComplete = onboardingStatus === 'complete' || (testMode && onboardingStatus === 'in_progress');
  switch (kycStatus) {
    case 'not_started':
      return 'start';
    case 'pending':
      return isComplete ? 'checking' : 'restricted';
    case 'rejected':
      return 'rejected';
    case 'verified':
      return 'restricted';
  }
}

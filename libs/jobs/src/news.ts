/**
 * Each kind of news, raised by the lib in which it happens, and the jobs that look into it. So nobody needs to know who else cares: a
 * feature that does adds its job here.
 */
import type { JobName } from './job-names';

export const NEWS = {
  /** Settings changed by which it is decided where its money goes and when it may leave: what waits may wait for nothing any more. */
  'client.terms_changed': ['payees.resolve', 'owed.funded', 'payouts.funded'],
  /** It was suspended, and is active again. `client.terms_changed` is told as well. */
  'client.resumed': ['payouts.resume'],
  'routes.changed': ['payees.resolve'],
  /** Money of a client came in, or came free. */
  'wallet.funded': ['payouts.funded', 'owed.funded'],
  'payee.payable': ['owed.release'],
} as const satisfies Record<string, readonly JobName[]>;

export type NewsName = keyof typeof NEWS;

/** A browser in which a payee opened their wallet, by a link that was mailed to them. */
import { createHmac } from 'node:crypto';
import { sameBytes } from '#libs/domain';

/** A mailed link: for so long, and for one use. */
export const LINK_SECONDS = 15 * 60;
/** The link in a mail about waiting money, by which a fresh one is mailed. */
export const WALLET_LINK_SECONDS = 30 * 86_400;
export const SESSION_SECONDS = 12 * 60 * 60;
/** For so long after the link was used money can be moved; then a new one is mailed. */
export const FRESH_SECONDS = 60 * 60;
/** For so long after it opened a wallet the same form opens it again. */
export const REPEAT_SECONDS = 30;
export const MOST_LINKS = { links: 3, minutes: 10 };

export interface PortalLink {
  clientId: string;
  payeeId: string;
  /** A change of the payee's address since then closes what it opened. */
  linkMadeAt: Date;
}

export interface PortalSession extends PortalLink {
  id: string;
  isFresh: boolean;
  /** The form that opened it may be on its way once more. */
  isJustOpened: boolean;
}

/**
 * The part of our forms that no other site can know: the browser sends our cookie whatever site the form is on. Derived from the session,
 * so an old page's forms end with it.
 */
export const formToken = (session: string): string => createHmac('sha256', session).update('form').digest('base64url');

export const isFormOf = (session: string, given: unknown): boolean =>
  typeof given === 'string' && sameBytes(Buffer.from(given), Buffer.from(formToken(session)));

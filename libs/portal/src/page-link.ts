/** A link to a page of one payee: whoever has it needs no log-in. */

/**
 * onboarding: good for a quarter of an hour, made by the payee's client. account: the same, made by payees from their own wallets; only
 * this one changes an account that is ready. return: the way back from a rail's own pages to ours, for a day, or until the wallet it began
 * in is left.
 */
export const PAGE_LINK_KINDS = { onboarding: 15 * 60, account: 15 * 60, return: 24 * 60 * 60 } as const;
export type PageLinkKind = keyof typeof PAGE_LINK_KINDS;

export const FRAMINGS = ['redirect', 'iframe'] as const;
export type Framing = (typeof FRAMINGS)[number];

export interface PageLink {
  id: string;
  kind: PageLinkKind;
  clientId: string;
  payeeId: string;
  returnUrl: string;
  /** The one site that may show the page in a frame; null: none may. */
  frameOrigin: string | null;
  /** Of a way back: it leads back from a click that began in a wallet. */
  fromWallet: boolean;
  createdAt: Date;
  expiresAt: Date;
}

/** Payees made it for themselves, or it came of such a one: it is over with the wallet that it was made in. */
export const isOfWallet = ({ kind, fromWallet }: Pick<PageLink, 'kind' | 'fromWallet'>): boolean =>
  kind === 'account' || fromWallet;

/** Whoever was handed a link uses up what there is for links, and keeps its payee from nothing in their wallet. */
export type CameBy = 'wallet' | 'link';

export const cameBy = (link: Pick<PageLink, 'kind' | 'fromWallet'>): CameBy => (isOfWallet(link) ? 'wallet' : 'link');

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
export const isPageToken = (text: string): boolean => TOKEN.test(text);

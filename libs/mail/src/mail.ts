/** A mail as it is kept: written when its cause is committed, and never changed by how often it is tried. */
export const MAIL_KINDS = [
  'money_waiting',
  'portal_link',
  'claim_link',
  'payout_returned',
  'payout_needs_you',
  'details_changed',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/**
 * Limits count a mail with its like alone, or whoever causes enough other mails first would keep it away: those that warn
 * somebody who did not ask for something, those that somebody waits for, to get to their money, the same if whoever asks may be
 * anybody, and all others.
 */
const GROUPS: readonly MailGroup[] = [
  { kinds: ['details_changed'], byLink: false, byMailboxAlone: true },
  { kinds: ['portal_link'], byLink: false },
  { kinds: ['portal_link'], byLink: true },
  { kinds: ['money_waiting', 'claim_link', 'payout_returned', 'payout_needs_you'], byLink: false },
];

export interface MailGroup {
  kinds: readonly MailKind[];
  byLink: boolean;
  /** No number of a client's keeps them away: whoever has its key would use it up, and then change what they like without a word to anybody. */
  byMailboxAlone?: boolean;
}

/** Which mails a limit counts for this one. */
export function countedWith({ kind, byLink = false }: Pick<NewMail, 'kind' | 'byLink'>): MailGroup {
  const group = GROUPS.find((each) => each.kinds.includes(kind) && each.byLink === byLink);
  if (!group) throw new Error(`No limit counts mails of kind ${kind}${byLink ? ' that a link asks for' : ''}.`);
  return group;
}

/** Where it waits to be sent: behind those of its client that are counted with it, and not behind what that client tells many others. */
export function lineOf({ clientId, ...mail }: Pick<NewMail, 'clientId' | 'kind' | 'byLink'>): {
  lane: string;
  owner: string;
} {
  const { kinds, byLink } = countedWith(mail);
  return { lane: `${clientId} ${kinds[0]}${byLink ? ' by link' : ''}`, owner: clientId };
}

/** The content of a letter; its caller knows who gets it and why. `LINK_PLACE` stands where a link goes. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

/** No name, amount or address contains it. */
export const LINK_PLACE = '%LINK%';

export interface NewMail extends Letter {
  clientId: string;
  kind: MailKind;
  /** One cause makes one mail of a kind, however often it is queued. */
  cause: string;
  to: string;
  /** It works without a log-in, so it is kept sealed, and only until the mail is sent. */
  link?: string;
  /** It was asked for with a link that was mailed or handed out, so by anybody. */
  byLink?: boolean;
}

export const MAIL_STATUSES = ['queued', 'sent', 'kept', 'failed', 'limited'] as const;
export type MailStatus = (typeof MAIL_STATUSES)[number];

export interface Mail {
  id: string;
  clientId: string;
  kind: MailKind;
  cause: string;
  toAddress: string;
  subject: string;
  bodyText: string;
  bodyHtml: string;
  sealedLink: string | null;
  byLink: boolean;
  /** `kept`: there is no mail server to send it to. `limited`: there were too many, and it is not sent. */
  status: MailStatus;
  /** The mail server's answer, without the address; for a mail over a limit, which limit. */
  lastError: string | null;
  /** When it was counted; null before. */
  allowedAt: Date | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** The limits that a mail can exceed. */
export type MailLimit = 'ADDRESS_IN_AN_HOUR' | 'ADDRESS_IN_A_DAY' | 'ADDRESS_OF_ONE_CLIENT' | 'CLIENT_IN_A_DAY';

/** For how long a mail counts for it. */
export const countsForSeconds = (limit: MailLimit): number => (limit === 'ADDRESS_IN_AN_HOUR' ? 3_600 : 86_400);

/**
 * Where an address leads: what stands behind a plus is for its owner to sort by. Providers that very many people are with
 * read an address in ways of their own; of others nothing is guessed.
 */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address
    .toLowerCase()
    .replace(/\+[^@]*@/, '@')
    .split('@');
  const [, mailbox, at] = BELOW_ITS_MAILBOX.exec(domain) ?? [];
  if (mailbox && at) return `${mailbox}@${at}`;
  const [, provider] = PROVIDERS.find(([domains]) => domains.test(domain)) ?? [];
  const plain = provider?.aside ? name.replace(provider.aside, '') : name;
  return `${plain}@${provider?.domain ?? domain}`;
}

interface Provider {
  /** At which a name means the same as at its other ones; null where it does not. */
  domain: string | null;
  /** The part of a name that its owner may write as they like. */
  aside?: RegExp;
}

/** Whatever stands before it is delivered to that mailbox. */
const BELOW_ITS_MAILBOX = /^([^.]+)\.(fastmail\.(?:com|fm|net|org|co\.uk|de|es|fr|in|jp|mx|nl|se|uk|us))$/;

const PROVIDERS: [RegExp, Provider][] = [
  [/^(?:gmail|googlemail)\.com$/, { domain: 'gmail.com', aside: /\./g }],
  [/^(?:proton\.me|pm\.me|protonmail\.(?:com|ch))$/, { domain: 'proton.me', aside: /[._-]/g }],
  [/^(?:ya\.ru|yandex\.(?:ru|com|by|kz|ua|com\.tr))$/, { domain: 'yandex.com', aside: /[.-]/g }],
  [/^(?:icloud|me|mac)\.com$/, { domain: 'icloud.com' }],
  [/^(?:yahoo\.(?:[a-z]{2}|com|com?\.[a-z]{2})|ymail\.com|rocketmail\.com)$/, { domain: null, aside: /(?<=.)-.*/ }],
];

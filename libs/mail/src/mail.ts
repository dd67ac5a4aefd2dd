/** A mail as it is kept: written when its cause is committed, and never changed by how often it is tried. */
export const MAIL_KINDS = ['money_waiting'] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** What a letter says; who gets it and why is the caller's business. */
export interface Letter {
  subject: string;
  text: string;
  html: string;
}

export interface NewMail extends Letter {
  clientId: string;
  kind: MailKind;
  /** One cause makes one mail of a kind, however often it is queued. */
  cause: string;
  to: string;
}

export const MAIL_STATUSES = ['queued', 'sent', 'kept', 'failed'] as const;
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
  /** `kept`: there is no mail server to send it to. */
  status: MailStatus;
  /** What the mail server said, without the address. */
  lastError: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

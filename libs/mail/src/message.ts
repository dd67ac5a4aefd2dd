/** A mail as it is handed to the mail server. What could add a header or a recipient is refused, never mended. */
import type { SendMailOptions } from 'nodemailer';
import { isEmail } from '#libs/http-kit';
import type { Mail } from './mail';

const BREAKS_A_HEADER = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** One plain address, and a subject of one line. */
export const isSendable = (to: string, subject: string): boolean =>
  isEmail(to.toLowerCase()) && subject.trim() !== '' && !BREAKS_A_HEADER.test(subject);

/** Sent twice, after a crash, it has the same Message-ID: mail programs show it once. */
export function messageOf(mail: Mail, mailFrom: string, publicUrl: string): SendMailOptions {
  return {
    from: senderOf(mailFrom),
    to: { name: '', address: mail.toAddress },
    subject: mail.subject,
    text: mail.bodyText,
    html: mail.bodyHtml,
    messageId: `<${mail.id}@${new URL(publicUrl).hostname}>`,
    headers: { 'auto-submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Taken apart here: left as text, a comma or a colon in the name would be read as a list of addresses. */
function senderOf(mailFrom: string): { name: string; address: string } {
  const { name = '', address = mailFrom } = /^"?(?<name>[^"<]*?)"? <(?<address>[^>]+)>$/u.exec(mailFrom)?.groups ?? {};
  return { name, address };
}

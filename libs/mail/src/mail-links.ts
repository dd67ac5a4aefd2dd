/** Links in mails: sealed in the row, opened for the mail server. Whoever reads the table, or a backup of it, can use none. */
import { Inject, Injectable } from '@nestjs/common';
import { SecretBox } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { LINK_PLACE, type Mail } from './mail';

@Injectable()
export class MailLinks {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'masterKeys'>) {}

  seal(link: string, mailId: string): string {
    return this.box().seal(link, boundTo(mailId));
  }

  /** The mail as it is read. A link that was sent is not kept: its place stays empty. */
  filledIn(mail: Mail): Mail {
    const link = mail.sealedLink === null ? '' : this.box().open(mail.sealedLink, boundTo(mail.id));
    const fill = (text: string): string => text.replaceAll(LINK_PLACE, () => link);
    return { ...mail, bodyText: fill(mail.bodyText), bodyHtml: fill(mail.bodyHtml) };
  }

  /** With the first master key; null: it is sealed with that. */
  resealed(sealed: string, mailId: string): string | null {
    const box = this.box();
    return box.isCurrent(sealed) ? null : box.seal(box.open(sealed, boundTo(mailId)), boundTo(mailId));
  }

  private box(): SecretBox {
    return new SecretBox(this.config.masterKeys);
  }
}

const boundTo = (mailId: string): string => `mail-link:${mailId}`;

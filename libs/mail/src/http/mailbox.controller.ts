/** Where a developer reads the mails that a deployment without a mail server keeps. In production there is no such page. */
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Refusal } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { Open } from '#libs/http-kit';
import { MailReads } from '../db/mail.reads';
import { type Html, html, page } from '../letters/html';
import type { Mail, MailKind, MailStatus } from '../mail';
import { MailLinks } from '../mail-links';

interface MailView {
  id: string;
  kind: MailKind;
  to: string;
  subject: string;
  text: string;
  html: string;
  status: MailStatus;
  createdAt: string;
}

const SHOWN = 100;

@ApiExcludeController()
@Controller('dev/mailbox')
export class MailboxController {
  constructor(
    private readonly reads: MailReads,
    private readonly links: MailLinks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'production'>,
  ) {}

  /** JSON, newest first; a page for whoever asks with a browser. */
  @Get()
  @Open()
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.config.production) throw new Refusal('not_found');
    const mails = (await this.reads.newest(SHOWN)).map((mail) => this.links.filledIn(mail));
    if (request.accepts(['json', 'html']) !== 'html') response.json({ data: mails.map(mailView) });
    else
      response.type('html').send(
        page(
          'Mailbox',
          html`<h1>Mailbox</h1>
            ${mails.map(mailEntry)}`,
        ),
      );
  }
}

function mailView({ id, kind, toAddress, subject, bodyText, bodyHtml, status, createdAt }: Mail): MailView {
  const content = { subject, text: bodyText, html: bodyHtml };
  return { id, kind, to: toAddress, ...content, status, createdAt: createdAt.toISOString() };
}

function mailEntry({ toAddress, subject, bodyText, status, createdAt }: Mail): Html {
  return html`<article>
    <h2>${subject}</h2>
    <p>To ${toAddress}, ${createdAt.toISOString()}, ${status}</p>
    <pre style="white-space:pre-wrap">${bodyText}</pre>
  </article>`;
}

/** Where a developer reads the mails that a deployment without a mail server keeps. In production there is no such page. */
import { Controller, Get, Inject, Post, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Refusal } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { IdParam, Open } from '#libs/http-kit';
import { MailReads } from '../db/mail.reads';
import type { Mail, MailKind, MailStatus } from '../mail';
import { MailLinks } from '../mail-links';
import { ClearMailbox } from '../use-cases/clear-mailbox';
import { mailboxPage } from './mailbox.page';

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
@Open()
export class MailboxController {
  constructor(
    private readonly reads: MailReads,
    private readonly clearing: ClearMailbox,
    private readonly links: MailLinks,
    @Inject(CONFIG) private readonly config: Pick<Config, 'production'>,
  ) {}

  /** JSON, newest first; a page for whoever asks with a browser. `q`: what an address or a subject contains. */
  @Get()
  async read(@Query('q') q: unknown, @Req() request: Request, @Res() response: Response): Promise<void> {
    this.refuseInProduction();
    const wanted = typeof q === 'string' ? q : '';
    const mails = (await this.reads.newest(SHOWN, wanted)).map((mail) => this.links.filledIn(mail));
    if (request.accepts(['json', 'html']) !== 'html') response.json({ data: mails.map(mailView) });
    else response.type('html').send(mailboxPage(mails, wanted));
  }

  /** As a mail program shows it. */
  @Get(':id')
  async show(@IdParam('mail_not_found') id: string, @Res() response: Response): Promise<void> {
    this.refuseInProduction();
    const mail = await this.reads.find(id);
    if (!mail) throw new Refusal('mail_not_found');
    response.type('html').send(this.links.filledIn(mail).bodyHtml);
  }

  /** All but those that wait to be sent. */
  @Post('clear')
  async clear(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.refuseInProduction();
    // No other site empties it.
    if (['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']))) throw new Refusal('not_found');
    await this.clearing.run();
    response.redirect(303, '/dev/mailbox');
  }

  private refuseInProduction(): void {
    if (this.config.production) throw new Refusal('not_found');
  }
}

function mailView({ id, kind, toAddress, subject, bodyText, bodyHtml, status, createdAt }: Mail): MailView {
  const content = { subject, text: bodyText, html: bodyHtml };
  return { id, kind, to: toAddress, ...content, status, createdAt: createdAt.toISOString() };
}

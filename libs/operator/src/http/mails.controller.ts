/** Mails to payees: what became of each, and sending one that was not sent. None of it holds a link. */
import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ActingOperator, type Operator } from '#libs/auth';
import { Refusal } from '#libs/domain';
import {
  Describe,
  EmailAddress,
  Id,
  IdParam,
  limitOrDefault,
  List,
  NoBody,
  OneOf,
  OperatorRole,
  pageOf,
  placeOf,
  Refuses,
} from '#libs/http-kit';
import {
  type Mail,
  MAIL_KINDS,
  MAIL_STATUSES,
  type MailKind,
  MailReads,
  type MailStatus,
  ResendMail,
} from '#libs/mail';
import { deedOf, RecordDeeds } from '../use-cases/record-deeds';
import { ListQuery } from './clients.dto';

const SEND = deedOf('mail', 'send', 'sent');
const nullable = { type: String, nullable: true } as const;

export class MailView {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid', description: 'In whose name it is.' }) clientId: string;
  @ApiProperty({ enum: MAIL_KINDS, example: 'claim_link' }) kind: MailKind;
  @ApiProperty({ format: 'email', example: 'ada@example.com' }) to: string;
  @ApiProperty({ example: 'A payment from Example Studio is waiting for you' }) subject: string;
  @ApiProperty({
    enum: MAIL_STATUSES,
    description: '`kept`: there was no mail server. `limited`: there were too many, and it was not sent.',
    example: 'kept',
  })
  status: MailStatus;
  @ApiProperty({ ...nullable, description: 'What the mail server said last, or which limit it met.' })
  lastError: string | null;
  @ApiProperty({ format: 'date-time' }) createdAt: string;
  @ApiProperty({ ...nullable, format: 'date-time', description: 'Null while it waits to be sent.' })
  endedAt: string | null;
}

export class MailPage {
  @ApiProperty({ type: [MailView] }) data: MailView[];
  @ApiProperty({ ...nullable, description: 'Give it back as `cursor`; null on the last page.' })
  nextCursor: string | null;
}

export class SearchMailsQuery extends ListQuery {
  @Id({ optional: true, description: 'Only in the name of this client.' }) clientId?: string;
  @OneOf(MAIL_STATUSES, { optional: true }) status?: MailStatus;
  @OneOf(MAIL_KINDS, { optional: true }) kind?: MailKind;
  @EmailAddress({ optional: true, description: 'Only to this address.' }) to?: string;
}

@ApiTags('Operator: events')
@Controller('operator/v1/mails')
export class OperatorMailsController {
  constructor(
    private readonly mails: MailReads,
    private readonly resending: ResendMail,
    private readonly deeds: RecordDeeds,
  ) {}

  @Get()
  @List()
  @OperatorRole('viewer')
  @Describe('Search the mails to payees of all clients, newest first', { addition: true })
  @Refuses('invalid_request', 'invalid_cursor')
  @ApiOkResponse({ type: MailPage })
  async search(@Query() { limit: wanted, cursor, ...filter }: SearchMailsQuery): Promise<MailPage> {
    const limit = limitOrDefault(wanted);
    return pageOf(await this.mails.list(filter, placeOf(cursor), limit), limit, mailView);
  }

  @Get(':id')
  @OperatorRole('viewer')
  @Describe('Read what became of a mail', { addition: true })
  @Refuses('mail_not_found')
  @ApiOkResponse({ type: MailView })
  async read(@IdParam('mail_not_found') id: string): Promise<MailView> {
    const mail = await this.mails.find(id);
    if (!mail) throw new Refusal('mail_not_found');
    return mailView(mail);
  }

  @Post(':id/send')
  @HttpCode(200)
  @OperatorRole('operator')
  @Describe('Send a mail that was kept, given up or one too many', {
    addition: true,
    description: 'It waits to be sent then; without a mail server it is kept again. No limit of mails holds it.',
  })
  @Refuses('invalid_request', 'mail_not_found', 'mail_not_sendable')
  @ApiOkResponse({ type: MailView })
  async send(
    @ActingOperator() { name }: Operator,
    @IdParam('mail_not_found') id: string,
    @Body() _: NoBody,
  ): Promise<MailView> {
    const known = await this.mails.find(id);
    const line = { actor: name, clientId: known?.clientId, target: id };
    return mailView(
      await this.deeds.atOnce(
        SEND,
        line,
        () => this.resending.run(id),
        ({ kind, status }) => ({ kind, status }),
      ),
    );
  }
}

function mailView({ id, clientId, kind, toAddress, subject, status, lastError, createdAt, endedAt }: Mail): MailView {
  const times = { createdAt: createdAt.toISOString(), endedAt: endedAt?.toISOString() ?? null };
  return { id, clientId, kind, to: toAddress, subject, status, lastError, ...times };
}

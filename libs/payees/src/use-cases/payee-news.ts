/** The consequences of a change in a payee's standing, in the same transaction: the event, and the news for whoever pays them. */
import { Injectable } from '@nestjs/common';
import type { Client } from '#libs/clients';
import { EventOutbox } from '#libs/events';
import { Jobs } from '#libs/jobs';
import { MailOutbox } from '#libs/mail';
import { mailsAboutChange } from '../details-changed';
import type { Payee } from '../payee';

@Injectable()
export class PayeeNews {
  constructor(
    private readonly events: EventOutbox,
    private readonly jobs: Jobs,
    private readonly mails: MailOutbox,
  ) {}

  /** They are somebody else from now on, or at another address, as far as the caller says. */
  async warn(client: Client, before: Payee, payee: Payee): Promise<void> {
    await this.mails.queue(mailsAboutChange(client, before, payee));
  }

  async tell(client: Client, before: Payee, payee: Payee): Promise<void> {
    await this.events.append([
      {
        clientId: client.id,
        type: 'payee.updated',
        entityId: payee.id,
        sequence: payee.eventSequence,
        subscribed: client.webhookUrl !== null && client.eventTypes.includes('payee.updated'),
        payload: {
          externalId: payee.externalId,
          payeeId: payee.id,
          payable: payee.payable,
          kycStatus: payee.kycStatus,
          kycReason: payee.kycReason,
          occurredAt: payee.updatedAt.toISOString(),
        },
      },
    ]);
    // However many callbacks and polls report it, under the payee's lock it becomes payable once.
    if (payee.payable && !before.payable)
      await this.jobs.tell('payee.payable', [{ entityId: payee.id, lane: client.id }]);
  }
}

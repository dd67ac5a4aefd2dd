/** To whom a link into a wallet may go, and what it looks like. */
import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { type Payee, PayeeRouting } from '#libs/payees';

@Injectable()
export class LinkRules {
  constructor(
    private readonly routing: PayeeRouting,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /**
   * A leaked key must not be enough: after a change of the payee's identity no link goes out for a while, for as long as the client's stored
   * settings say.
   */
  async addressOf(client: Client, payee: Payee): Promise<string> {
    if (payee.email === null)
      throw new Refusal('payee_email_missing', 'The payee has no e-mail address. Set one, then ask again.');
    await this.routing.refuseWhileCooling(client, payee);
    return payee.email;
  }

  linkTo(token: string): string {
    return `${this.config.publicUrl}/portal/open/${token}`;
  }
}

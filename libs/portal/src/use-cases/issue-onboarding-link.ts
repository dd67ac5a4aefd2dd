/** A link to the page on which a payee gets ready to be paid. Whoever has it needs no log-in, so it works for a short while. */
import { Inject, Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { PayeeReads, PayeeRouting } from '#libs/payees';
import { PageLinkStore } from '../db/page-link.store';
import type { Framing } from '../page-link';
import { returnUrlOf } from '../return-url';

export interface IssuedLink {
  url: string;
  /** The rail that the payee would be paid over; null: none serves them, and the page says so. */
  provider: string | null;
  mode: Framing;
  expiresAt: Date;
}

@Injectable()
export class IssueOnboardingLink {
  constructor(
    private readonly payees: PayeeReads,
    private readonly routing: PayeeRouting,
    private readonly links: PageLinkStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'production'>,
  ) {}

  async run(client: Client, payeeId: string, wanted: { returnUrl: string; mode: Framing }): Promise<IssuedLink> {
    const { mode } = wanted;
    const payee = await this.payees.find(client.id, payeeId);
    if (!payee) throw new Refusal('payee_not_found');
    const facts = await this.routing.facts(client, payee);
    // By the client as it is stored: the link keeps both for as long as it works, and the client may have left that site a moment ago.
    const returnUrl = this.returnUrl(facts.client, wanted.returnUrl);
    const frameOrigin = mode === 'iframe' ? originOfHooks(facts.client) : null;
    const { provider } = this.routing.resolved(facts);
    const link = { clientId: client.id, payeeId, returnUrl, frameOrigin };
    const { token, expiresAt } = await this.links.add('onboarding', link);
    return { url: `${this.config.publicUrl}/onboarding/${token}`, provider, mode, expiresAt };
  }

  private returnUrl({ webhookUrl }: Client, given: string): string {
    const { publicUrl, production } = this.config;
    const url = returnUrlOf(given, { publicUrl, production, webhookUrl });
    if (url) return url;
    const itself = `begin with ${publicUrl}/`;
    const known = webhookUrl
      ? `be an https address on the host of your webhook URL, or ${itself}`
      : `${itself}: you have no webhook URL yet, whose host it may be on`;
    throw new Refusal('invalid_return_url', `returnUrl must ${known}.`);
  }
}

function originOfHooks({ webhookUrl }: Client): string {
  if (webhookUrl) return new URL(webhookUrl).origin;
  throw new Refusal(
    'invalid_return_url',
    'Only the site of your webhook URL may show the page in a frame, and you have none. Ask for mode redirect.',
  );
}

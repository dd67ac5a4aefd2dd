/**
 * The link to the page on which a payee acts on one payout. It is derived from the payout's id, so that nothing that opens a page
 * is ever stored, and any process makes the same one.
 */
import { Inject, Injectable } from '@nestjs/common';
import { isOurPage, OUR_PAGE } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';
import { Seal, uuidOf } from './seal';

const TOKEN = /^[A-Za-z0-9_-]{64}$/;

@Injectable()
export class ClaimLinks {
  private readonly seal: Seal;
  private readonly publicUrl: string;

  constructor(@Inject(CONFIG) { masterKeys, publicUrl }: Pick<Config, 'masterKeys' | 'publicUrl'>) {
    this.seal = new Seal(masterKeys, 'claim links');
    this.publicUrl = publicUrl;
  }

  linkTo(payoutId: string): string {
    const id = Buffer.from(payoutId.replaceAll('-', ''), 'hex');
    return `${this.publicUrl}/claim/${this.seal.sealed(id).toString('base64url')}`;
  }

  /** The payout whose page it opens; null for what nobody made here. */
  payoutOf(token: string): string | null {
    const id = TOKEN.test(token) ? this.seal.opened(Buffer.from(token, 'base64url')) : null;
    return id && uuidOf(id);
  }

  /** The link of a payout that is handed out: the rail's own, or ours. */
  shown(claimUrl: string | null, payoutId: string): string | null {
    return isOurPage(claimUrl) ? this.linkTo(payoutId) : claimUrl;
  }

  /** An event's text, as it is sent. What a caller wrote into it cannot look so: its quotes are escaped. */
  filledIn(body: string): string {
    const place = Object.values(OUR_PAGE).find((one) => body.includes(fieldOf(one)));
    if (!place) return body;
    const { transactionId } = JSON.parse(body) as { transactionId: string };
    return body.replace(fieldOf(place), () => `"claimUrl":${JSON.stringify(this.linkTo(transactionId))}`);
  }
}

const fieldOf = (place: string): string => `"claimUrl":"${place}"`;

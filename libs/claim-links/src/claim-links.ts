/**
 * The link to the page on which a payee acts on one payout. It is derived from the payout's id, so that nothing that opens a page
 * is ever stored, and any process makes the same one.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { isOurPage, OUR_PAGE, sameBytes } from '#libs/domain';
import { CONFIG, type Config } from '#libs/config';

const ID_BYTES = 16;
const TOKEN = /^[A-Za-z0-9_-]{64}$/;

@Injectable()
export class ClaimLinks {
  /** Links are made with the newest master key; those of an older one open as long as it is configured. */
  private readonly keys: Buffer[];
  private readonly publicUrl: string;

  constructor(@Inject(CONFIG) { masterKeys, publicUrl }: Pick<Config, 'masterKeys' | 'publicUrl'>) {
    this.keys = masterKeys.map((key) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', 'claim links', 32)),
    );
    this.publicUrl = publicUrl;
  }

  linkTo(payoutId: string): string {
    const id = Buffer.from(payoutId.replaceAll('-', ''), 'hex');
    return `${this.publicUrl}/claim/${Buffer.concat([id, this.seal(id, this.keys[0] as Buffer)]).toString('base64url')}`;
  }

  /** The payout whose page it opens; null for what nobody made here. */
  payoutOf(token: string): string | null {
    if (!TOKEN.test(token)) return null;
    const bytes = Buffer.from(token, 'base64url');
    const [id, seal] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
    return this.keys.some((key) => sameBytes(seal, this.seal(id, key))) ? uuidOf(id.toString('hex')) : null;
  }

  /** What is handed out of a payout's link: the rail's own, or ours. */
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

  private seal(id: Buffer, key: Buffer): Buffer {
    return createHmac('sha256', key).update(id).digest();
  }
}

const fieldOf = (place: string): string => `"claimUrl":"${place}"`;
const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

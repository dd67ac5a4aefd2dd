/**
 * The link that a mail about waiting money carries: whoever clicks there has a fresh link into the wallet mailed to its payee, and
 * sees nothing. It is derived from whose it is and how long its payee had been here when it was made, so that nothing is stored for
 * it, and it grows old with its payee when a test lets time pass.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { Seal, uuidOf } from './seal';

interface Whose {
  clientId: string;
  payeeId: string;
}

export interface WalletLink extends Whose {
  /** By since when its payee is here. */
  madeAt: (payeeSince: Date) => Date;
}

const ID_BYTES = 16;
const TIME_BYTES = 6;
/** Nobody is here for that long, in milliseconds: it is a time by itself, as an earlier version wrote it. */
const SINCE_1970 = 10 ** 12;
const TOKEN = /^[A-Za-z0-9_-]{94}$/;

@Injectable()
export class WalletLinks {
  private readonly seal: Seal;
  private readonly publicUrl: string;

  constructor(@Inject(CONFIG) { masterKeys, publicUrl }: Pick<Config, 'masterKeys' | 'publicUrl'>) {
    this.seal = new Seal(masterKeys, 'wallet links');
    this.publicUrl = publicUrl;
  }

  linkTo({ clientId, payeeId }: Whose, payeeSince: Date, madeAt: Date): string {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(Math.max(madeAt.getTime() - payeeSince.getTime(), 0), 0, TIME_BYTES);
    const bytes = Buffer.concat([idBytes(clientId), idBytes(payeeId), time]);
    return `${this.publicUrl}/wallet/${this.seal.sealed(bytes).toString('base64url')}`;
  }

  /** null for what nobody made here. */
  read(token: string): WalletLink | null {
    const sealed = TOKEN.test(token) ? Buffer.from(token, 'base64url') : null;
    // Its last character has bits to spare: of the spellings that mean the same one is ours.
    const bytes = sealed?.toString('base64url') === token ? this.seal.opened(sealed) : null;
    if (!bytes) return null;
    const ms = bytes.readUIntBE(2 * ID_BYTES, TIME_BYTES);
    return {
      clientId: uuidOf(bytes.subarray(0, ID_BYTES)),
      payeeId: uuidOf(bytes.subarray(ID_BYTES, 2 * ID_BYTES)),
      madeAt: (payeeSince) => new Date(ms < SINCE_1970 ? payeeSince.getTime() + ms : ms),
    };
  }
}

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

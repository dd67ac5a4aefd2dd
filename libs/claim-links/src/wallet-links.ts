/**
 * The link that a mail about waiting money carries: whoever clicks there has a fresh link into the wallet mailed to its payee, and
 * sees nothing. It is derived from whose it is and when it was made, so that nothing is stored for it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '#libs/config';
import { Seal, uuidOf } from './seal';

export interface WalletLink {
  clientId: string;
  payeeId: string;
  madeAt: Date;
}

const ID_BYTES = 16;
const TIME_BYTES = 6;
const TOKEN = /^[A-Za-z0-9_-]{94}$/;

@Injectable()
export class WalletLinks {
  private readonly seal: Seal;
  private readonly publicUrl: string;

  constructor(@Inject(CONFIG) { masterKeys, publicUrl }: Pick<Config, 'masterKeys' | 'publicUrl'>) {
    this.seal = new Seal(masterKeys, 'wallet links');
    this.publicUrl = publicUrl;
  }

  linkTo({ clientId, payeeId, madeAt }: WalletLink): string {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeUIntBE(madeAt.getTime(), 0, TIME_BYTES);
    const bytes = Buffer.concat([idBytes(clientId), idBytes(payeeId), time]);
    return `${this.publicUrl}/wallet/${this.seal.sealed(bytes).toString('base64url')}`;
  }

  /** null for what nobody made here. */
  read(token: string): WalletLink | null {
    const sealed = TOKEN.test(token) ? Buffer.from(token, 'base64url') : null;
    // Its last character has bits to spare: of the spellings that mean the same one is ours.
    const bytes = sealed?.toString('base64url') === token ? this.seal.opened(sealed) : null;
    if (!bytes) return null;
    return {
      clientId: uuidOf(bytes.subarray(0, ID_BYTES)),
      payeeId: uuidOf(bytes.subarray(ID_BYTES, 2 * ID_BYTES)),
      madeAt: new Date(bytes.readUIntBE(2 * ID_BYTES, TIME_BYTES)),
    };
  }
}

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

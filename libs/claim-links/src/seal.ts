/** Bytes that only we can have put together: what a link says, and a code over it that is made with a master key. */
import { createHmac, hkdfSync } from 'node:crypto';
import { sameBytes } from '#libs/domain';

const CODE_BYTES = 32;

export class Seal {
  /** Links are made with the newest master key; those of an older one open as long as it is configured. */
  private readonly keys: Buffer[];

  constructor(masterKeys: readonly string[], purpose: string) {
    this.keys = masterKeys.map((key) =>
      Buffer.from(hkdfSync('sha256', Buffer.from(key, 'hex'), '', purpose, CODE_BYTES)),
    );
  }

  sealed(bytes: Buffer): Buffer {
    return Buffer.concat([bytes, this.codeOf(bytes)]);
  }

  codeOf(bytes: Buffer): Buffer {
    return codeOf(bytes, this.keys[0] as Buffer);
  }

  /** null for what nobody sealed here. */
  opened(sealed: Buffer): Buffer | null {
    const [bytes, code] = [sealed.subarray(0, -CODE_BYTES), sealed.subarray(-CODE_BYTES)];
    return this.keys.some((key) => sameBytes(code, codeOf(bytes, key))) ? bytes : null;
  }
}

const codeOf = (bytes: Buffer, key: Buffer): Buffer => createHmac('sha256', key).update(bytes).digest();

export const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * Seals secrets with AES-256-GCM. A sealed text names the master key it was made with, so that the master key can
 * be rotated, and is bound to what it belongs to, so that it opens nowhere else.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v1';

export class UnknownMasterKey extends Error {
  constructor(keyId: string) {
    super(`A secret is sealed with master key ${keyId}, which MASTER_KEY does not hold. Add that key to MASTER_KEY.`);
  }
}

export class SecretBox {
  private readonly keys: Map<string, Buffer>;
  readonly currentKeyId: string;

  /** Hex keys: the first seals, all open. */
  constructor(masterKeys: string[]) {
    this.keys = new Map(masterKeys.map((hex) => [keyIdOf(hex), Buffer.from(hex, 'hex')]));
    this.currentKeyId = keyIdOf(masterKeys[0] as string);
  }

  seal(plain: string, boundTo: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.currentKeyId), nonce).setAAD(Buffer.from(boundTo));
    const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.currentKeyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
  }

  open(text: string, boundTo: string): string {
    const [, keyId = '', nonce = '', sealed = ''] = text.split('.');
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key(keyId), Buffer.from(nonce, 'base64url'))
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
  }

  isCurrent(text: string): boolean {
    return text.startsWith(`${VERSION}.${this.currentKeyId}.`);
  }

  private key(id: string): Buffer {
    const key = this.keys.get(id);
    if (!key) throw new UnknownMasterKey(id);
    return key;
  }
}

const keyIdOf = (hex: string): string => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex').slice(0, 8);

/**
 * The keys of the simulated Circle: one pair that entity secrets are encrypted for, and one that notices are signed with. They are kept
 * with the books, and open nothing but those.
 */
import {
  constants,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  privateDecrypt,
  randomUUID,
  sign,
} from 'node:crypto';

export interface CircleKeys {
  /** Private keys, PEM. */
  entity: string;
  notices: string;
  noticesId: string;
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;
const newEntityKey = (): string =>
  generateKeyPairSync('rsa', {
    ...{ modulusLength: 2048, privateKeyEncoding: PEM },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;

/** Making one takes a while: the books of one process begin with the same. */
let firstEntityKey: string | null = null;

export function newKeys(): CircleKeys {
  firstEntityKey ??= newEntityKey();
  const { privateKey } = generateKeyPairSync('ec', {
    ...{ namedCurve: 'P-256', privateKeyEncoding: PEM },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return { entity: firstEntityKey, notices: privateKey, noticesId: randomUUID() };
}

export function rotate(keys: CircleKeys): void {
  keys.entity = newEntityKey();
}

/** As text of its PEM. */
export const entityPublicKey = ({ entity }: CircleKeys): string =>
  createPublicKey(entity).export({ type: 'spki', format: 'pem' }) as string;

/** As base64 of its DER. */
export const noticesPublicKey = ({ notices }: CircleKeys): string =>
  createPublicKey(notices).export({ type: 'spki', format: 'der' }).toString('base64');

export const signed = ({ notices }: CircleKeys, body: string): string =>
  sign('sha256', Buffer.from(body), notices).toString('base64');

/** In hexadecimal; null if it was not encrypted for this key. */
export function decrypted({ entity }: CircleKeys, ciphertext: string): string | null {
  try {
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };
    return privateDecrypt({ key: entity, ...padding }, Buffer.from(ciphertext, 'base64')).toString('hex');
  } catch {
    return null;
  }
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

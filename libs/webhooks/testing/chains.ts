/** Chains of certificates of hooks.example.com: as costly as any, and as large as those of real receivers. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { LARGE_KEY } from './certificate';

export interface Chain {
  key: string;
  cert: string;
  /** What is sent of it. */
  bytes: number;
}

const OWN = 'hooks.example.com';
/** Keys of 3072 bits with an exponent as long, which OpenSSL takes up to that size. */
const BYTES = 384;

const lengthOf = (bytes: number): Buffer => {
  if (bytes < 128) return Buffer.from([bytes]);
  return bytes < 256 ? Buffer.from([0x81, bytes]) : Buffer.from([0x82, bytes >> 8, bytes & 255]);
};
const tagged = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
};
const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts);
/** Above zero, whatever its first bit is. */
const whole = (bytes: Buffer): Buffer => tagged(0x02, Buffer.from([0]), bytes);
const bits = (bytes: Buffer): Buffer => tagged(0x03, Buffer.from([0]), bytes);
const hex = (tag: number, text: string): Buffer => tagged(tag, Buffer.from(text, 'hex'));
const NULL = tagged(0x05);
const RSA = sequence(hex(0x06, '2a864886f70d010101'), NULL);
const SHA256_WITH_RSA = sequence(hex(0x06, '2a864886f70d01010b'), NULL);
const OF_AN_AUTHORITY = tagged(0xa3, sequence(sequence(hex(0x06, '551d13'), hex(0x01, 'ff'), hex(0x04, '30030101ff'))));
const VALID = sequence(tagged(0x17, Buffer.from('250101000000Z')), tagged(0x17, Buffer.from('400101000000Z')));

const nameOf = (text: string): Buffer =>
  sequence(tagged(0x31, sequence(hex(0x06, '550403'), tagged(0x0c, Buffer.from(text)))));

function oddOf(first: number): Buffer {
  const bytes = randomBytes(BYTES);
  bytes[0] = first;
  bytes[BYTES - 1] = (bytes[BYTES - 1] as number) | 1;
  return bytes;
}

const costlyKey = (): Buffer => sequence(RSA, bits(sequence(whole(oddOf(0xff)), whole(oddOf(0x90)))));

interface Content {
  subject: string;
  issuer: string;
  key: Buffer;
  extensions: Buffer;
}

function certificate({ subject, issuer, key, extensions }: Content, signatureOf: (signed: Buffer) => Buffer): Buffer {
  const version = tagged(0xa0, hex(0x02, '02'));
  const serial = hex(0x02, `01${randomBytes(4).toString('hex')}`);
  const names = [nameOf(issuer), VALID, nameOf(subject)];
  const signed = sequence(version, serial, SHA256_WITH_RSA, ...names, key, extensions);
  return sequence(signed, SHA256_WITH_RSA, bits(signatureOf(signed)));
}

function chainOf(key: string, certificates: Buffer[]): Chain {
  const cert = certificates.map(pem).join('');
  return { key, cert, bytes: Buffer.concat(certificates).length };
}

function pem(certificate: Buffer): string {
  const text = certificate.toString('base64').replace(/(.{64})(?=.)/g, '$1\n');
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
}

const names = (...all: string[]): Buffer => {
  const listed = sequence(...all.map((name) => tagged(0x82, Buffer.from(name))));
  return tagged(0xa3, sequence(sequence(hex(0x06, '551d11'), tagged(0x04, listed))));
};

/** It costs much to verify, and nothing to make: signatures are random. 70 of them fit into the 100 KiB that OpenSSL reads. */
export function costlyChain(authorities = 70): Chain {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const own = { subject: OWN, issuer: 'CA 1', key, extensions: names(OWN) };
  const above = Array.from({ length: authorities }, (_, nth) => ({
    subject: `CA ${nth + 1}`,
    issuer: `CA ${nth + 2}`,
    key: costlyKey(),
    extensions: OF_AN_AUTHORITY,
  }));
  const certificates = [own, ...above].map((content) => certificate(content, () => oddOf(0x10)));
  return chainOf(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, certificates);
}

/** Four certificates with keys of 4096 bits, of many names, the root among them: more than most receivers send. */
export function largeChain(): Chain & { root: string } {
  const signer = createPrivateKey(LARGE_KEY);
  const key = createPublicKey(LARGE_KEY).export({ type: 'spki', format: 'der' });
  const others = Array.from({ length: 99 }, (_, nth) => `hooks-${nth}.example.com`);
  const contents = [
    { subject: OWN, issuer: 'CA 1', key, extensions: names(OWN, ...others) },
    { subject: 'CA 1', issuer: 'CA 2', key, extensions: OF_AN_AUTHORITY },
    { subject: 'CA 2', issuer: 'Root', key, extensions: OF_AN_AUTHORITY },
    { subject: 'Root', issuer: 'Root', key, extensions: OF_AN_AUTHORITY },
  ];
  const certificates = contents.map((content) => certificate(content, (signed) => sign('sha256', signed, signer)));
  return { ...chainOf(LARGE_KEY, certificates), root: pem(certificates[3] as Buffer) };
}

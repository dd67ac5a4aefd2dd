/**
 * A receiver's certificate whose chain costs much to verify, and nothing to make: keys of 3072 bits with an exponent as long, which OpenSSL
 * takes up to that size, and signatures that are random. 70 of them fit into the 100 KiB that a client reads.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';

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

function certificate(subject: string, issuer: string, key: Buffer, ...extensions: Buffer[]): string {
  const version = tagged(0xa0, hex(0x02, '02'));
  const serial = hex(0x02, `01${randomBytes(4).toString('hex')}`);
  const names = [nameOf(issuer), VALID, nameOf(subject)];
  const signed = sequence(version, serial, SHA256_WITH_RSA, ...names, key, ...extensions);
  const text = sequence(signed, SHA256_WITH_RSA, bits(oddOf(0x10))).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
}

export function costlyChain(authorities = 70): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = certificate('hooks.example.com', 'CA 1', publicKey.export({ type: 'spki', format: 'der' }));
  const above = Array.from({ length: authorities }, (_, nth) =>
    certificate(`CA ${nth + 1}`, `CA ${nth + 2}`, costlyKey(), OF_AN_AUTHORITY),
  );
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert: [own, ...above].join('') };
}

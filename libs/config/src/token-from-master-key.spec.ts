/** Who reads an operator's token along must not hold the key of every secret at rest, in whichever way it is written. */
import { randomBytes } from 'node:crypto';
import { loadConfig } from './config';

const KEY = randomBytes(32);
const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pay.example',
  DATABASE_URL: 'postgres://u:p@db.example/gateway',
  MASTER_KEY: KEY.toString('hex'),
};

test.each([
  ['in hex', KEY.toString('hex')],
  ['in base64', KEY.toString('base64')],
  ['in base64 for addresses', KEY.toString('base64url')],
  ['its first 24 bytes in hex', KEY.toString('hex', 0, 24)],
])('a token that is the master key %s is refused', (_, OPERATOR_TOKEN) =>
  expect(() => loadConfig({ ...PRODUCTION, OPERATOR_TOKEN })).toThrow('another secret than MASTER_KEY'),
);

test.each(['postgres://u:p%zz@db.example/gateway'])('a DATABASE_URL that no driver can read is named: %s', (url) => {
  const OPERATOR_TOKEN = randomBytes(32).toString('hex');
  expect(() => loadConfig({ ...PRODUCTION, OPERATOR_TOKEN, DATABASE_URL: url })).toThrow('DATABASE_URL');
});

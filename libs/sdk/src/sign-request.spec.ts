import { createHash, createHmac } from 'node:crypto';
import { isNonce } from '#libs/domain';
import { signRequest } from './sign-request';

const NOW = 1_772_445_600;
const clock = { now: () => new Date(NOW * 1_000) };
const credentials = { apiKey: 'gw_test_key', signingSecret: 'whsec_c2VjcmV0' };
const hmac = (text: string): string => createHmac('sha256', credentials.signingSecret).update(text).digest('hex');

describe('signRequest', () => {
  it('signs method, path, query, nonce and body as the contract says', () => {
    const body = '{"amountCents":2500,"ref":"größer"}';
    const headers = signRequest(credentials, { method: 'POST', target: '/api/v1/payouts?x=1', body }, clock);
    const hash = createHash('sha256').update(body).digest('hex');
    expect(headers).toEqual({
      authorization: 'Bearer gw_test_key',
      'x-gw-timestamp': String(NOW),
      'x-gw-nonce': headers['x-gw-nonce'],
      'x-gw-signature-v2': hmac(`${NOW}\n${headers['x-gw-nonce']}\nPOST\n/api/v1/payouts?x=1\n${hash}`),
    });
  });

  it('signs the hash of nothing where there is no body', () => {
    const headers = signRequest(credentials, { method: 'GET', target: '/api/v1/payees', body: '' }, clock);
    const hash = createHash('sha256').digest('hex');
    expect(headers['x-gw-signature-v2']).toBe(hmac(`${NOW}\n${headers['x-gw-nonce']}\nGET\n/api/v1/payees\n${hash}`));
  });

  it('never gives the same second signature twice', () => {
    const sign = () => signRequest(credentials, { method: 'POST', target: '/api/v1/payouts', body: '{}' }, clock);
    const [first, second] = [sign(), sign()];
    expect(isNonce(first['x-gw-nonce'])).toBe(true);
    expect(first['x-gw-signature-v2']).not.toBe(second['x-gw-signature-v2']);
  });
});

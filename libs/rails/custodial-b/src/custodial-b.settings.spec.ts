/** Which settings are taken, and what the hosts say about the money. */
import { readSettings } from './custodial-b.settings';

const GIVEN = { CUSTODIAL_B_HMAC_KEY: 'AB'.repeat(32) };

describe('settings of custodial_b', () => {
  it.each([
    [{}, 'live'],
    [{ CUSTODIAL_B_BASE_URL: 'https://balanceplatform-api-test.adyen.com' }, 'sandbox'],
    [{ CUSTODIAL_B_BASE_URL: 'http://127.0.0.1:4103' }, 'sandbox'],
    [{ CUSTODIAL_B_BASE_URL: 'https://balanceplatform-api-live.adyen.com.example' }, 'sandbox'],
  ])('with %p money is %s', (changes, mode) => {
    expect(readSettings({ ...GIVEN, ...changes }).mode).toBe(mode);
  });

  it('take an old HMAC key beside the new one', () => {
    expect(readSettings({ CUSTODIAL_B_HMAC_KEY: `${'AB'.repeat(32)}, ${'cd'.repeat(32)}` }).hmacKeys).toHaveLength(2);
  });

  it.each(['', 'secret', 'AB', `${'AB'.repeat(32)},`, `${'AB'.repeat(32)}C`])('refuse the HMAC key %p', (key) => {
    expect(() => readSettings({ CUSTODIAL_B_HMAC_KEY: key })).toThrow('CUSTODIAL_B_HMAC_KEY');
  });

  it('refuse to send a key where others listen', () => {
    const open = { CUSTODIAL_B_LEM_BASE_URL: 'http://kyc-test.adyen.com' };
    expect(() => readSettings({ ...GIVEN, ...open })).toThrow('CUSTODIAL_B_LEM_BASE_URL');
  });
});

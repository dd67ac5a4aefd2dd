import { readBaseUrl, readMilliseconds } from './settings';

describe('the settings of a transport', () => {
  it('takes an address, without what it ends with', () => {
    expect(readBaseUrl('ACME_BASE_URL', 'https://api.example.com/')).toBe('https://api.example.com');
    expect(readBaseUrl('ACME_BASE_URL', 'http://127.0.0.1:4000')).toBe('http://127.0.0.1:4000');
  });

  it.each([
    '',
    'api.example.com',
    'http://api.example.com',
    'ftp://localhost',
    'https://me:secret@api.example.com',
    'https://api.example.com?x=1',
    'https://api.example.com ',
  ])('refuses %p, and says which setting it is about', (value) => {
    expect(() => readBaseUrl('ACME_BASE_URL', value)).toThrow(/^ACME_BASE_URL must/);
  });

  it('repeats no credentials that somebody put into an address', () => {
    expect(() => readBaseUrl('ACME_BASE_URL', 'https://me:secret@api.example.com')).not.toThrow(/secret/);
  });

  it.each(['0', '-1', '1.5', '10s', '1000000', ''])('refuses %p as a time', (value) => {
    expect(() => readMilliseconds('ACME_TIMEOUT_MS', value)).toThrow(/^ACME_TIMEOUT_MS must/);
  });

  it('takes a whole number of milliseconds', () => {
    expect(readMilliseconds('ACME_TIMEOUT_MS', '10000')).toBe(10_000);
  });
});

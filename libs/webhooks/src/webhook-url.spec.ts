import { checkWebhookUrl } from './webhook-url';

const PUBLIC_HOST = 'must lead to a host on the public internet';
const NO_HOST = 'must name a host by letters, digits and hyphens';
const PORT = 'must use port 443 or 8443';
const PROTOCOL = 'must begin with https://';
const MISLEADING = 'must not hold spaces, control characters or backslashes';

describe('checkWebhookUrl in production', () => {
  it.each([
    'https://example.com',
    'https://example.com/hooks?tenant=1',
    'https://example.com:443/hooks',
    'https://hooks.example.com:8443/',
    'https://8.8.8.8/hooks',
    'https://[2606:4700:4700::1111]/hooks',
    'https://bücher.example/hooks',
  ])('accepts %s', (url) => expect(checkWebhookUrl(url, true)).toBeNull());

  it.each([
    ['http://example.com', PROTOCOL],
    ['ftp://example.com', PROTOCOL],
    ['file:///etc/passwd', PROTOCOL],
    ['javascript:alert(1)', PROTOCOL],
    ['https://example.com:22', PORT],
    ['https://example.com:25', PORT],
    ['https://example.com:6379', PORT],
    ['https://example.com:80', PORT],
    ['https://127.0.0.1', PUBLIC_HOST],
    ['https://127.1', PUBLIC_HOST],
    ['https://0x7f000001', PUBLIC_HOST],
    ['https://017700000001', PUBLIC_HOST],
    ['https://2130706433', PUBLIC_HOST],
    ['https://0', PUBLIC_HOST],
    ['https://169.254.169.254/latest/meta-data', PUBLIC_HOST],
    ['https://[::1]', PUBLIC_HOST],
    ['https://[::ffff:127.0.0.1]', PUBLIC_HOST],
    ['https://[fd00:ec2::254]', PUBLIC_HOST],
    ['https://localhost', PUBLIC_HOST],
    ['https://api.localhost', PUBLIC_HOST],
    ['https://postgres', PUBLIC_HOST],
    ['https://metadata.google.internal', PUBLIC_HOST],
    ['https://printer.local', PUBLIC_HOST],
  ])('refuses %s: %s', (url, complaint) => expect(checkWebhookUrl(url, true)).toBe(complaint));
});

describe.each([true, false])('checkWebhookUrl, production %s', (production) => {
  it.each([
    ['', 'must be an absolute URL, such as https://example.com/hooks'],
    ['example.com/hooks', 'must be an absolute URL, such as https://example.com/hooks'],
    ['https://', 'must be an absolute URL, such as https://example.com/hooks'],
    ['https://[fe80::1%25eth0]/', 'must be an absolute URL, such as https://example.com/hooks'],
    ['https://user@example.com', 'must not hold a user name or password'],
    ['https://user:word@example.com', 'must not hold a user name or password'],
    ['https://example.com/#top', 'must not hold a fragment'],
    ['https://example.com/#', 'must not hold a fragment'],
    ['https://example.com./', 'must not end its host with a dot'],
    ['https://localhost./', 'must not end its host with a dot'],
    ['https://*.com/hooks', NO_HOST],
    ['https://app.example;x/', NO_HOST],
    ['https://app,x.example/', NO_HOST],
    [`https://app'.example/`, NO_HOST],
    ['https://{app}.example/', NO_HOST],
    ['https://good.example\\@evil.example', MISLEADING],
    ['https://good.example\t.evil.example', MISLEADING],
    [' https://example.com', MISLEADING],
    ['https://example.com/\r\nx-gw-signature: 0', MISLEADING],
    [`https://example.com/${'a'.repeat(2_048)}`, 'must be at most 2048 characters'],
  ])('refuses %j: %s', (url, complaint) => expect(checkWebhookUrl(url, production)).toBe(complaint));
});

describe('checkWebhookUrl, asked often', () => {
  it('still knows letters that are not ASCII', () => {
    for (let turn = 0; turn < 100_000; turn += 1) checkWebhookUrl('https://example.com/hooks', true);
    for (let turn = 0; turn < 1_000; turn += 1)
      expect(checkWebhookUrl('https://bücher.example/hooks', true)).toBeNull();
  });
});

describe('checkWebhookUrl outside production', () => {
  it.each(['http://localhost:4000/hooks', 'http://127.0.0.1:22', 'https://10.0.0.1', 'http://postgres:8080/x'])(
    'accepts %s',
    (url) => expect(checkWebhookUrl(url, false)).toBeNull(),
  );

  it('still wants a web address', () => {
    expect(checkWebhookUrl('ftp://example.com', false)).toBe('must begin with https:// or http://');
  });
});

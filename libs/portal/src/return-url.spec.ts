import { returnUrlOf } from './return-url';

const LIVE = { publicUrl: 'https://pay.example', webhookUrl: 'https://app.example/hooks', production: true };

test.each([
  ['https://app.example/done', 'https://app.example/done'],
  ['https://APP.EXAMPLE', 'https://app.example/'],
  ['https://app.example:8443/done', 'https://app.example:8443/done'],
  ['https://pay.example/anything', 'https://pay.example/anything'],
  ['https:\\\\app.example\\@evil.example', 'https://app.example/@evil.example'],
  ['https://\u24d0pp.example/', 'https://app.example/'],
  ['https://app.example\n/done', 'https://app.example/done'],
])('in production %s is %s', (given, kept) => expect(returnUrlOf(given, LIVE)).toBe(kept));

test.each([
  'http://localhost/',
  'http://pay.example/',
  'https://pay.example:444/',
  'https://sub.app.example/',
  'https://app.example.',
  'https://evil.example#app.example',
  'data:text/html,app.example',
  'https://app.example@evil.example/',
  'https://app.example%2eevil.example/',
  'https://app.example\t.evil.example/',
  'https://app.example\r\n.evil.example/',
  'https://\u0430pp.example/',
  'https://app.example\u3002evil.example/',
  'https://evil.example\\@app.example/',
  'https:///evil.example/app.example',
  'HTTP://app.example/',
  'blob:https://app.example/1',
  'https://me@app.example/',
  'https://app.example/ ',
  'app.example',
])('in production nobody is sent to %s', (given) => expect(returnUrlOf(given, LIVE)).toBeNull());

test('a client without a webhook sends its payees to the service itself only', () => {
  const rules = { ...LIVE, webhookUrl: null };
  expect(returnUrlOf('https://app.example/', rules)).toBeNull();
  expect(returnUrlOf('https://pay.example/', rules)).toBe('https://pay.example/');
});

test.each(['http://localhost:5173/', 'http://127.0.0.1/', 'http://[::1]:3000/'])(
  'outside production %s will do',
  (url) => expect(returnUrlOf(url, { ...LIVE, production: false })).toBe(url),
);

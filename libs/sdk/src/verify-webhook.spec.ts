import { newSigningSecret, signV1, standardWebhookSignature } from '#libs/domain';
import { InvalidWebhook, verifyWebhook } from './verify-webhook';

const NOW = 1_772_445_600;
const clock = { now: () => new Date(NOW * 1_000) };
const secret = newSigningSecret();
const body = '{"type":"payout.status", "eventId":"e1","ref":"größer"}';

function headersAt(timestamp: number, key = secret, over = body): Record<string, string> {
  const text = String(timestamp);
  return { 'x-gw-timestamp': text, 'x-gw-signature': signV1(key, text, over).toString('hex') };
}

describe('verifyWebhook', () => {
  it('answers the event, from text and from bytes, from any kind of headers', () => {
    const headers = headersAt(NOW);
    const expected = { type: 'payout.status', eventId: 'e1' };
    expect(verifyWebhook(body, headers, secret, clock)).toMatchObject(expected);
    expect(verifyWebhook(Buffer.from(body), headers, [secret], clock)).toMatchObject(expected);
    expect(verifyWebhook(new TextEncoder().encode(body), headers, [secret], clock)).toMatchObject(expected);
    expect(verifyWebhook(body, new Headers(headers), secret, clock)).toMatchObject(expected);
    const anothersHeaders = { get: (name: string) => headers[name] ?? null };
    expect(verifyWebhook(body, anothersHeaders, secret, clock)).toMatchObject(expected);
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    expect(verifyWebhook(body, lists, secret, clock)).toMatchObject(expected);
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyWebhook(body, shouted, secret, clock)).toMatchObject(expected);
  });

  it('accepts either secret while one is rotated', () => {
    const next = newSigningSecret();
    expect(() => verifyWebhook(body, headersAt(NOW, next), [secret, next], clock)).not.toThrow();
    expect(() => verifyWebhook(body, headersAt(NOW), [next, secret], clock)).not.toThrow();
    expect(() => verifyWebhook(body, headersAt(NOW), [next], clock)).toThrow('does not match');
    expect(() => verifyWebhook(body, headersAt(NOW), [], clock)).toThrow(InvalidWebhook);
  });

  it('refuses to go by an empty secret, with which anybody can sign', () => {
    expect(() => verifyWebhook(body, headersAt(NOW, ''), '', clock)).toThrow('no signing secret');
    expect(() => verifyWebhook(body, headersAt(NOW, ''), ['', secret], clock)).toThrow('does not match');
    expect(() => verifyWebhook(body, headersAt(NOW), ['', secret], clock)).not.toThrow();
  });

  it('refuses a signed body that is no JSON', () => {
    expect(() => verifyWebhook('{', headersAt(NOW, secret, '{'), secret, clock)).toThrow(InvalidWebhook);
  });

  it('tells the caller who hands over a parsed body what is wrong', () => {
    const parsed = JSON.parse(body) as string;
    expect(() => verifyWebhook(parsed, headersAt(NOW), secret, clock)).toThrow(TypeError);
  });

  it.each([-300, 300])('accepts a timestamp %d seconds away', (seconds) => {
    expect(() => verifyWebhook(body, headersAt(NOW + seconds), secret, clock)).not.toThrow();
  });

  it.each([-301, 301])('refuses a timestamp %d seconds away', (seconds) => {
    expect(() => verifyWebhook(body, headersAt(NOW + seconds), secret, clock)).toThrow('300 seconds');
  });

  it('refuses a body of which one byte was changed, or only its spelling', () => {
    expect(() => verifyWebhook(body.replace('e1', 'e2'), headersAt(NOW), secret, clock)).toThrow('does not match');
    expect(() => verifyWebhook(JSON.stringify(JSON.parse(body)), headersAt(NOW), secret, clock)).toThrow(
      'does not match',
    );
  });

  it.each([
    ['no headers', {}],
    ['no signature', { 'x-gw-signature': undefined }],
    ['a short signature', { 'x-gw-signature': 'ab' }],
    ['a signature with more after it', { 'x-gw-signature': `${headersAt(NOW)['x-gw-signature']}zz` }],
    ['two signatures', { 'x-gw-signature': [headersAt(NOW)['x-gw-signature'], headersAt(NOW)['x-gw-signature']] }],
    ['the same header spelled twice', { 'X-Gw-Signature': headersAt(NOW)['x-gw-signature'] }],
    ['a timestamp in milliseconds', { 'x-gw-timestamp': `${NOW}000` }],
    ['a timestamp with a fraction', { 'x-gw-timestamp': `${NOW}.5` }],
  ])('refuses %s', (_, change) => {
    const headers = Object.keys(change).length === 0 ? {} : { ...headersAt(NOW), ...change };
    expect(() => verifyWebhook(body, headers, secret, clock)).toThrow(InvalidWebhook);
  });
});

describe('verifyWebhook, by webhook-signature', () => {
  const [older, newer] = [newSigningSecret(), newSigningSecret()];
  const standard = (secrets: string[], at = NOW, over = body, id = 'e1'): Record<string, string> => ({
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': secrets.map((each) => standardWebhookSignature(each, id, String(at), over)).join(' '),
  });
  /** As it comes while a secret is rotated: the newest signs its own header, both the standard one. */
  const rotated = (): Record<string, string> => ({ ...headersAt(NOW, newer), ...standard([newer, older]) });
  const verify = (headers: Record<string, string | string[]>, secrets: string | string[]) => () =>
    verifyWebhook(body, headers, secrets, clock);

  it('accepts while a secret is rotated what either one signed, whichever is known', () => {
    for (const known of [older, newer, [older, newer]]) expect(verify(rotated(), known)()).toHaveProperty('eventId');
    expect(verify(standard([older]), older)()).toHaveProperty('eventId');
    expect(verify(rotated(), secret)).toThrow(InvalidWebhook);
  });

  it.each([-301, 301])('refuses its timestamp %d seconds away, whatever the other one says', (seconds) => {
    const late = { ...headersAt(NOW, newer), ...standard([older], NOW + seconds) };
    expect(verify(late, older)).toThrow(InvalidWebhook);
    expect(verify({ ...late, 'webhook-timestamp': String(NOW) }, older)).toThrow(InvalidWebhook);
  });

  it('refuses another body, another id, and headers that came twice', () => {
    const [signature] = Object.values(standard([older])).slice(-1);
    expect(verify(standard([older], NOW, `${body} `), older)).toThrow(InvalidWebhook);
    expect(verify({ ...standard([older]), 'webhook-id': 'e2' }, older)).toThrow(InvalidWebhook);
    expect(verify(standard([older], NOW, body, 'e1.1772445600'), older)).toThrow(InvalidWebhook);
    expect(verify({ ...standard([older]), 'webhook-signature': [signature ?? '', signature ?? ''] }, older)).toThrow(
      InvalidWebhook,
    );
  });

  it.each(['', 'whsec_', 'whsec_AAAA', 'whsec_!', 'secret'])('refuses to go by what holds no key: %j', (weak) => {
    expect(verify(standard([weak]), weak)).toThrow(InvalidWebhook);
  });

  it('leaves aside signatures of other versions', () => {
    const { 'webhook-signature': signature = '', ...rest } = standard([older]);
    expect(verify({ ...rest, 'webhook-signature': `v1a,AAAA  ${signature}` }, older)).not.toThrow();
    expect(verify({ ...rest, 'webhook-signature': signature.replace('v1', 'v2') }, older)).toThrow(InvalidWebhook);
  });
});

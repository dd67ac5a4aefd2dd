import { Webhook } from 'standardwebhooks';
import { signV1, standardWebhookSignature } from '#libs/domain';
import { InvalidWebhook, verifyWebhook } from '../src/verify-webhook';
import { bodyOf, headerOf, vectors, type WebhookVector } from './webhook-vectors';

const valid = vectors.filter((vector) => vector.valid);
const standard = vectors.filter((vector) => headerOf(vector, 'webhook-signature') !== undefined);

const named = (chosen: WebhookVector[]): [string, WebhookVector][] => chosen.map((vector) => [vector.name, vector]);

describe('the webhook vectors', () => {
  it('are of both kinds, each with a name of its own', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(20);
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
    expect(valid.length).toBeGreaterThanOrEqual(8);
    expect(new Set(standard.map((vector) => vector.valid))).toEqual(new Set([true, false]));
  });

  it.each(named(valid))('signed by what signs deliveries: %s', (_, vector) => {
    const timestamp = headerOf(vector, 'x-gw-timestamp') ?? '';
    const signatures = vector.secrets.map((secret) => signV1(secret, timestamp, bodyOf(vector)).toString('hex'));
    expect(signatures).toContain(headerOf(vector, 'x-gw-signature')?.toLowerCase());
  });

  it.each(named(standard.filter((vector) => vector.valid)))('signed for Standard Webhooks: %s', (_, vector) => {
    const [id = '', timestamp = ''] = [headerOf(vector, 'webhook-id'), headerOf(vector, 'webhook-timestamp')];
    const body = bodyOf(vector).toString();
    const signatures = vector.secrets.map((secret) => standardWebhookSignature(secret, id, timestamp, body));
    expect(signatures).toContain(headerOf(vector, 'webhook-signature'));
  });

  it.each(named(vectors))('judged alike by the SDK: %s', (_, vector) => {
    const clock = { now: () => new Date(vector.now * 1_000) };
    const verify = () => verifyWebhook(bodyOf(vector), vector.headers, vector.secrets, clock);
    if (vector.valid) expect(verify()).toHaveProperty('eventId');
    else expect(verify).toThrow(InvalidWebhook);
  });
});

describe('the official verifier of Standard Webhooks', () => {
  // It asks the machine for the time, and so do its own tests.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it.each(named(standard))('judges alike: %s', (_, vector) => {
    jest.setSystemTime(vector.now * 1_000);
    expect(vector.secrets.some((secret) => accepts(secret, vector))).toBe(vector.valid);
  });
});

function accepts(secret: string, vector: WebhookVector): boolean {
  const headers = Object.fromEntries(Object.entries(vector.headers).map(([name, values]) => [name, values[0] ?? '']));
  try {
    new Webhook(secret).verify(bodyOf(vector), headers, { jsonParse: false });
    return true;
  } catch (error) {
    expect(error).toHaveProperty('name', 'WebhookVerificationError');
    return false;
  }
}

// A live client of the gateway, its payees, and the signed requests it would send, as bytes that are ready to go.
import { randomUUID } from 'node:crypto';
import { lib } from '../docs/compiled.mjs';

const { signV1, systemClock, unixSeconds } = lib('domain');
const ONCE = 16;

export class Caller {
  constructor({ clientId, key, secret }) {
    this.clientId = clientId;
    this.key = key;
    this.secret = secret;
    this.payees = [];
    this.wishes = new Map();
  }

  /** Live, because test clients reach only the mock, which settles at once: what is measured waits in a queue. */
  static async register({ url, token, name, settings: more = {} }) {
    const caps = { singleCents: 100_000_000, dailyCents: 100_000_000_000 };
    const settings = { name, testMode: false, caps, coolDownSeconds: 0, ...more };
    const { client, apiKey, signingSecret } = await asked(`${url}/operator/v1/clients`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(settings),
    });
    return new Caller({ clientId: client.id, key: apiKey, secret: signingSecret });
  }

  async addPayees(url, count, country = 'US') {
    for (let made = 0; made < count; made += ONCE)
      await Promise.all(
        Array.from({ length: Math.min(ONCE, count - made) }, (_, place) => this.#payee(url, made + place, country)),
      );
  }

  async #payee(url, number, country) {
    const wish = { externalId: `payee-${number}`, email: `payee-${number}@example.com`, name: 'Ada', country };
    const { id } = await this.call(url, 'POST', '/api/v1/payees', wish);
    this.payees.push(id);
    this.wishes.set(id, wish);
  }

  call(url, method, target, wish) {
    return this.callWith(url, method, target, wish && JSON.stringify(wish));
  }

  /** With a body that is a text already. */
  async callWith(url, method, target, body) {
    return asked(`${url}${target}`, { method, headers: this.headers(body ?? ''), body });
  }

  headers(body) {
    const timestamp = String(unixSeconds(systemClock));
    return {
      authorization: `Bearer ${this.key}`,
      'x-gw-timestamp': timestamp,
      'x-gw-signature': signV1(this.secret, timestamp, body).toString('hex'),
      ...(body ? { 'content-type': 'application/json' } : {}),
    };
  }

  /** A whole request as it goes over the wire. */
  bytes(method, target, wish) {
    const body = wish ? JSON.stringify(wish) : '';
    const length = body ? { 'content-length': Buffer.byteLength(body) } : {};
    const headers = { host: '127.0.0.1', ...this.headers(body), ...length };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  }

  /** Each with a key of its own, spread over the payees. */
  payout(number) {
    return {
      payeeId: this.payees[number % this.payees.length],
      amountCents: 1000 + (number % 1000),
      currency: 'USD',
      ref: `order-${number % 1000}`,
      idempotencyKey: randomUUID(),
    };
  }

  /** The payee once more, in other words: a signature counts once. */
  payeeAgain(id) {
    return { ...this.wishes.get(id), metadata: { call: randomUUID() } };
  }

  batch(rows) {
    return { idempotencyKey: randomUUID(), items: Array.from({ length: rows }, (_, number) => this.payout(number)) };
  }
}

async function asked(url, request) {
  const answer = await fetch(url, request);
  const body = await answer.json();
  if (answer.ok) return body;
  throw Object.assign(new Error(`${request.method} ${new URL(url).pathname}: ${answer.status} ${body.message}`), {
    status: answer.status,
  });
}

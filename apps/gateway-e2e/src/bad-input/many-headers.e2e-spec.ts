/** Headers that stand behind many others count as any: no second signature, no body and no host hides there. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, newClient, signedHeaders } from '../harness/api';
import { requestBytes, sendBytes, statusesOf } from '../harness/raw-socket';

const fillers = (count: number): string[] => Array.from({ length: count }, () => 'a:');
const MANY = fillers(180);
/** 8.4 KB of the 16 KiB a head may have, and more than Node counts by itself. */
const TOO_MANY = fillers(2_100);

describe('behind 180 headers', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient();
  });

  const sent = async (
    signed: string,
    behind: string[],
    before: string[],
    body: string,
    others = MANY,
  ): Promise<number[]> => {
    const own = Object.entries(signedHeaders(client.key, client.secret, signed)).map(
      ([key, value]) => `${key}: ${value}`,
    );
    const headers = [
      'Host: gateway',
      'Connection: close',
      'Content-Type: application/json',
      ...own,
      ...before,
      ...others,
      ...behind,
    ];
    return statusesOf(await sendBytes(requestBytes('POST', '/api/v1/payees', headers, body)));
  };
  const payee = (): string => JSON.stringify({ externalId: randomUUID() });

  test('what is right is served', async () => {
    const body = payee();
    expect(await sent(body, ['accept: */*'], [`Content-Length: ${body.length}`], body)).toEqual([200]);
  });

  test('more of them than anybody sends are refused, whatever else stands there', async () => {
    const body = payee();
    expect(await sent(body, [], [`Content-Length: ${body.length}`], body, TOO_MANY)).toEqual([431]);
    expect(await sent(body, ['Transfer-Encoding: chunked'], [], body, TOO_MANY)).toEqual([431]);
    const { externalId } = JSON.parse(body) as { externalId: string };
    expect((await client.get(`/payees?externalId=${externalId}`)).body.data).toEqual([]);
  });

  test('a second signature is refused', async () => {
    const body = payee();
    const behind = [`x-gw-signature: ${'0'.repeat(64)}`];
    expect(await sent(body, behind, [`Content-Length: ${body.length}`], body)).toEqual([401]);
  });

  test('a content-encoding is refused', async () => {
    const body = payee();
    expect(await sent(body, ['content-encoding: gzip'], [`Content-Length: ${body.length}`], body)).toEqual([415]);
  });

  test('a second host is refused', async () => {
    const body = payee();
    expect(await sent(body, ['Host: other'], [`Content-Length: ${body.length}`], body)).toEqual([400]);
  });

  test('a body is one that has to be signed', async () => {
    const text = JSON.stringify({ a: 'not signed' });
    const chunked = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
    // Signed is the empty body: what was received has another signature, 401, and is not taken for one without a body.
    expect(await withdrawal('', ['Transfer-Encoding: chunked'], chunked)).toEqual([401]);
  });

  async function withdrawal(signed: string, behind: string[], body: string): Promise<number[]> {
    const { id } = await client.payablePayee();
    await client.post('/disbursements', {
      items: [{ payeeId: id, amountCents: 1000, currency: 'USD', externalRef: randomUUID() }],
    });
    const own = Object.entries(signedHeaders(client.key, client.secret, signed)).map(
      ([key, value]) => `${key}: ${value}`,
    );
    const headers = ['Host: gateway', 'Connection: close', ...own, ...MANY, ...behind];
    return statusesOf(await sendBytes(requestBytes('POST', `/api/v1/payees/${id}/withdraw`, headers, body)));
  }
});

/** By a schema of its own: what it says of a real provider is for the specs of the rails. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractWatch } from './contract-watch';
import type { SandboxAnswer, SandboxRequest } from './sandbox-server';

const PAYMENT = { type: 'object', properties: { amount: { type: 'string' } }, required: ['amount'] };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const DOCUMENT = {
  paths: {
    '/payments': {
      post: {
        requestBody: json({ $ref: '#/components/schemas/payment' }),
        responses: { 201: json(PAYMENT), 422: json({ type: 'object' }) },
      },
    },
    '/payments/{id}': { get: { responses: { 200: json({ $ref: '#/components/schemas/payment' }) } } },
    '/wallets/{id}': { get: { responses: { 200: json({ $ref: '#/components/schemas/liveWallet' }) } } },
  },
  components: {
    schemas: {
      payment: PAYMENT,
      wallet: { type: 'object', properties: { id: { type: 'string' } } },
      liveWallet: {
        allOf: [
          { $ref: '#/components/schemas/wallet' },
          { type: 'object', properties: { core: { type: 'string' } }, required: ['core'] },
        ],
      },
    },
  },
  webhooks: { 'payment.paid': { post: { requestBody: json(PAYMENT), responses: {} } } },
};

describe('what is held against a published schema', () => {
  const directory = mkdtempSync(join(tmpdir(), 'schema-'));
  const file = join(directory, 'toy.openapi.json');
  writeFileSync(file, JSON.stringify(DOCUMENT));
  afterAll(() => rmSync(directory, { recursive: true }));

  function complaints(request: Partial<SandboxRequest>, answer: SandboxAnswer, closed = true): string[] {
    const watch = new ContractWatch(file, { unpublished: ['/token'], closed });
    const usual = {
      method: 'POST',
      path: '/payments',
      query: new URLSearchParams(),
      headers: {},
      body: '{"amount":"1.00"}',
    };
    watch.see({ ...usual, ...request }, answer);
    return watch.complaints.map(({ about, says }) => `${about}: ${says}`);
  }

  it('is in order as it is published', () => {
    expect(complaints({}, { status: 201, body: { amount: '1.00' } })).toEqual([]);
    expect(
      complaints({ method: 'GET', path: '/payments/1', body: '' }, { status: 200, body: { amount: '1.00' } }),
    ).toEqual([]);
    expect(complaints({ path: '/token', body: 'x=1' }, { status: 200, body: {} })).toEqual([]);
  });

  it('is complained about when a field is made up, on either side, however deep', () => {
    const made = { amount: '1.00', made_up: 1 };
    expect(complaints({ body: JSON.stringify(made) }, { status: 201, body: { amount: '1.00' } })).toHaveLength(1);
    expect(complaints({}, { status: 201, body: made })).toEqual([expect.stringContaining('made_up')]);
    expect(complaints({ method: 'GET', path: '/payments/1', body: '' }, { status: 200, body: made })).toHaveLength(1);
    expect(complaints({}, { status: 201, body: made }, false)).toEqual([]);
  });

  it('is put together of parts, and takes what they name between them', () => {
    const asked = { method: 'GET', path: '/wallets/1', body: '' };
    expect(complaints(asked, { status: 200, body: { id: '1', core: 'x' } })).toEqual([]);
    const made = complaints(asked, { status: 200, body: { id: '1', core: 'x', made_up: 1 } });
    expect(made).toEqual([expect.stringContaining('made_up')]);
    expect(complaints(asked, { status: 200, body: { id: '1' } })).toEqual([expect.stringContaining('core')]);
  });

  it('is complained about when a field is missing, or a call or a status is not published', () => {
    expect(complaints({}, { status: 201, body: {} })).toEqual([expect.stringContaining('amount')]);
    expect(complaints({ path: '/payment' }, { status: 201, body: {} })).toEqual([
      expect.stringContaining('no such call'),
    ]);
    expect(complaints({}, { status: 418, body: {} })).toEqual([expect.stringContaining('status 418')]);
  });

  it.each([
    ['payment.paid', { amount: '1.00' }, []],
    ['payment.paid', { amount: '1.00', made_up: 1 }, ['made_up']],
    ['payment.lost', { amount: '1.00' }, ['no such notice']],
  ])('is what a notice called %s is held against: %p', (name, body, wanted) => {
    const watch = new ContractWatch(file, { unpublished: [], closed: true });
    watch.seeNotice(name, body);
    expect(watch.complaints).toEqual(
      wanted.map((says) => ({ about: name, says: expect.stringContaining(says) as string })),
    );
  });

  it('knows a call by what follows the part that the schema leaves out', () => {
    const watch = new ContractWatch(file, { below: '/api/v2', unpublished: ['/page'], closed: true });
    const asked = { query: new URLSearchParams(), headers: {}, body: '{"amount":"1.00"}', method: 'POST' };
    watch.see({ ...asked, path: '/api/v2/payments' }, { status: 201, body: { amount: '1.00' } });
    watch.see({ ...asked, path: '/page/1' }, { status: 200, html: '' });
    expect(watch.complaints).toEqual([]);
    watch.see({ ...asked, path: '/api/v2/payment' }, { status: 201, body: {} });
    expect(watch.complaints).toMatchObject([{ about: 'POST /payment', says: 'no such call is published' }]);
  });

  it('leaves a body alone that was refused as malformed', () => {
    expect(complaints({ body: '{}' }, { status: 422, body: {} })).toEqual([]);
  });
});

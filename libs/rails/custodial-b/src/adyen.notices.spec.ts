/** Which notices of Adyen are believed, and what is heard of them. */
import { createHmac } from 'node:crypto';
import { AdyenNotices } from './adyen.notices';

const [NEW, OLD] = ['1F2E3D4C'.repeat(8), 'AB'.repeat(32)].map((hex) => Buffer.from(hex, 'hex')) as [Buffer, Buffer];
const notices = new AdyenNotices([NEW, OLD]);

const said = (type: string, reference: unknown): Buffer => Buffer.from(JSON.stringify({ type, data: { reference } }));
const signature = (body: Buffer, key = NEW): string => createHmac('sha256', key).update(body).digest('base64');
const read = (body: Buffer, hmacsignature = signature(body)) => notices.read({ headers: { hmacsignature }, body });

describe('notices of custodial_b', () => {
  it.each([
    ['key-1', ['key-1']],
    ['key-1.12', ['key-1']],
    ['gw00.5e', ['gw00.5e']],
    ['', []],
    [7, []],
    [undefined, []],
  ])('about a transfer with the reference %p name %p', (reference, railKeys) => {
    expect(read(said('balancePlatform.transfer.updated', reference))).toMatchObject({ kind: 'hints', railKeys });
  });

  it('about an account holder name nobody: who can be paid is found by asking', () => {
    const body = Buffer.from(JSON.stringify({ type: 'balancePlatform.accountHolder.updated', data: {} }));
    expect(read(body)).toEqual({ kind: 'hints', noticeId: expect.any(String) as string, railKeys: [] });
  });

  it('are believed with the new key and with the old one', () => {
    const body = said('balancePlatform.transfer.created', 'key-1');
    expect(read(body, signature(body, OLD)).kind).toBe('hints');
  });

  it.each([
    ['with a key of somebody else', (body: Buffer) => signature(body, Buffer.alloc(32))],
    ['for other words', () => signature(Buffer.from('{}'))],
    ['in hex', (body: Buffer) => createHmac('sha256', NEW).update(body).digest('hex')],
    ['with nothing', () => ''],
  ])('signed %s are forged', (_, sign) => {
    const body = said('balancePlatform.transfer.updated', 'key-1');
    expect(read(body, sign(body))).toEqual({ kind: 'forged' });
  });
});

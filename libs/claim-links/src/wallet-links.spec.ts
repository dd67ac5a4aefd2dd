import { newId } from '#libs/domain';
import { ClaimLinks } from './claim-links';
import { Seal } from './seal';
import { WalletLinks } from './wallet-links';

const config = { masterKeys: ['ab'.repeat(32)], publicUrl: 'https://pay.example' };
const links = new WalletLinks(config);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const tokenIn = (link: string): string => link.split('/').at(-1) ?? '';
const earlier = (at: Date, ms: number): Date => new Date(at.getTime() - ms);

describe('the link in a mail about waiting money', () => {
  const whose = { clientId: newId(), payeeId: newId() };
  const payeeSince = new Date('2026-03-01T00:00:00.100Z');
  const madeAt = new Date('2026-11-24T10:00:00.200Z');
  const link = links.linkTo(whose, payeeSince, madeAt);

  test('tells whose it is and when it was made', () => {
    expect(link).toMatch(/^https:\/\/pay\.example\/wallet\/[\w-]{94}$/);
    const read = links.read(tokenIn(link));
    expect(read).toMatchObject(whose);
    expect(read?.madeAt(payeeSince)).toEqual(madeAt);
  });

  test('is older by what its payee is: a test lets the same time pass for both', () => {
    const day = 86_400_000;
    expect(links.read(tokenIn(link))?.madeAt(earlier(payeeSince, day))).toEqual(earlier(madeAt, day));
  });

  test('is never from before its payee, however the clocks of two processes differ', () => {
    const early = links.linkTo(whose, payeeSince, earlier(payeeSince, 5));
    expect(links.read(tokenIn(early))?.madeAt(payeeSince)).toEqual(payeeSince);
  });

  test('of an earlier version says the time itself, and is good for as long as it was', () => {
    const bytes = Buffer.concat(
      [whose.clientId, whose.payeeId].map((id) => Buffer.from(id.replaceAll('-', ''), 'hex')).concat(Buffer.alloc(6)),
    );
    bytes.writeUIntBE(madeAt.getTime(), 32, 6);
    const token = new Seal(config.masterKeys, 'wallet links').sealed(bytes).toString('base64url');
    expect(links.read(token)?.madeAt(payeeSince)).toEqual(madeAt);
  });

  test('opens nothing once any of its characters is another', () => {
    const token = tokenIn(link);
    const others = [...token].flatMap((character, place) =>
      [...ALPHABET]
        .filter((other) => other !== character)
        .map((other) => `${token.slice(0, place)}${other}${token.slice(place + 1)}`),
    );
    expect(others.filter((other) => links.read(other) !== null)).toEqual([]);
  });

  test('opens as long as the master key is there that it was made with, and in no other deployment', () => {
    const [older, newer] = [config.masterKeys[0] as string, 'cd'.repeat(32)];
    const after = (...masterKeys: string[]) => new WalletLinks({ ...config, masterKeys }).read(tokenIn(link));
    expect(after(newer, older)).toMatchObject(whose);
    expect(after(newer)).toBeNull();
  });

  test('is none of a payment, and a link to a payment is none of a wallet', () => {
    const claims = new ClaimLinks(config);
    expect(claims.payoutOf(tokenIn(link))).toBeNull();
    expect(links.read(tokenIn(claims.linkTo(whose.payeeId)))).toBeNull();
  });
});

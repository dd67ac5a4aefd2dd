import { newId } from '#libs/domain';
import { ClaimLinks } from './claim-links';
import { WalletLinks } from './wallet-links';

const config = { masterKeys: ['ab'.repeat(32)], publicUrl: 'https://pay.example' };
const links = new WalletLinks(config);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const tokenIn = (link: string): string => link.split('/').at(-1) ?? '';

describe('the link in a mail about waiting money', () => {
  const whose = { clientId: newId(), payeeId: newId() };
  const madeAt = new Date('2026-11-24T10:00:00.200Z');
  const link = links.linkTo({ ...whose, madeAt });

  test('tells whose it is and when it was made', () => {
    expect(link).toMatch(/^https:\/\/pay\.example\/wallet\/[\w-]{94}$/);
    expect(links.read(tokenIn(link))).toEqual({ ...whose, madeAt });
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

  test('is none of a payment, and a link to a payment is none of a wallet', () => {
    const claims = new ClaimLinks(config);
    expect(claims.payoutOf(tokenIn(link))).toBeNull();
    expect(links.read(tokenIn(claims.linkTo(whose.payeeId)))).toBeNull();
  });
});

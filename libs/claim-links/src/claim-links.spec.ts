import { newId } from '#libs/domain';
import { ClaimLinks } from './claim-links';

const [OLDER, NEWER] = ['ab'.repeat(32), 'cd'.repeat(32)];
const links = (...masterKeys: string[]): ClaimLinks => new ClaimLinks({ masterKeys, publicUrl: 'https://pay.example' });
const tokenIn = (link: string): string => link.slice('https://pay.example/claim/'.length);

describe('the link to the page of a payment', () => {
  const id = newId();

  test('is the same wherever it is made, and leads back to the payment', () => {
    const link = links(OLDER).linkTo(id);
    expect(link).toMatch(/^https:\/\/pay\.example\/claim\/[\w-]{64}$/);
    expect(links(OLDER).linkTo(id)).toBe(link);
    expect(links(OLDER).payoutOf(tokenIn(link))).toBe(id);
    expect(links(OLDER).linkTo(newId())).not.toBe(link);
  });

  test('opens as long as the master key is there that it was made with', () => {
    const token = tokenIn(links(OLDER).linkTo(id));
    expect(links(NEWER, OLDER).payoutOf(token)).toBe(id);
    expect(links(NEWER).payoutOf(token)).toBeNull();
    expect(links(NEWER, OLDER).linkTo(id)).toBe(links(NEWER).linkTo(id));
  });

  test('opens nothing once any of its characters is another', () => {
    const token = tokenIn(links(OLDER).linkTo(id));
    const others = Array.from(token, (character, place) => {
      const other = character === 'A' ? 'B' : 'A';
      return `${token.slice(0, place)}${other}${token.slice(place + 1)}`;
    });
    expect(others.filter((other) => links(OLDER).payoutOf(other) !== null)).toEqual([]);
  });

  test('is put into an event in its place, and nowhere else', () => {
    const event = { transactionId: id, externalId: '"claimUrl":"page:open"', claimUrl: 'page:open', ref: 'page:soon' };
    const sent = links(OLDER).filledIn(JSON.stringify(event));
    expect(JSON.parse(sent)).toEqual({ ...event, claimUrl: links(OLDER).linkTo(id) });
  });

  test.each([[null], ['https://rail.example/claim/1']])('of a rail of its own is not ours: %s', (claimUrl) => {
    const body = JSON.stringify({ transactionId: id, claimUrl });
    expect(links(OLDER).filledIn(body)).toBe(body);
    expect(links(OLDER).shown(claimUrl, id)).toBe(claimUrl);
  });
});

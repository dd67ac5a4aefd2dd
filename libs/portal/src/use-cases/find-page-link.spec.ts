import { newId } from '#libs/domain';
import { WalletLinks } from '#libs/claim-links';
import { FindPageLink } from './find-page-link';

const DAY_MS = 86_400_000;

test('a link in a mail about waiting money opens for thirty days', () => {
  const links = new WalletLinks({ masterKeys: ['ab'.repeat(32)], publicUrl: 'https://pay.example' });
  const madeAt = new Date('2026-11-24T10:00:00Z');
  const whose = { clientId: newId(), payeeId: newId() };
  const token =
    links
      .linkTo({ ...whose, madeAt })
      .split('/')
      .at(-1) ?? '';
  const after = (ms: number) => {
    const clock = { now: () => new Date(madeAt.getTime() + ms) };
    return new FindPageLink({} as never, {} as never, links, clock as never).wallet(token);
  };
  expect(after(30 * DAY_MS)).toEqual({ ...whose, linkMadeAt: madeAt });
  expect(after(30 * DAY_MS + 1)).toBeNull();
});

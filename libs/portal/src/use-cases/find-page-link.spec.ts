import { newId } from '#libs/domain';
import { WalletLinks } from '#libs/claim-links';
import type { PortalLink } from '../portal-session';
import { FindPageLink } from './find-page-link';

const DAY_MS = 86_400_000;

describe('a link in a mail about waiting money', () => {
  const links = new WalletLinks({ masterKeys: ['ab'.repeat(32)], publicUrl: 'https://pay.example' });
  const payeeSince = new Date('2026-10-24T10:00:00Z');
  const madeAt = new Date('2026-11-24T10:00:00Z');
  const whose = { clientId: newId(), payeeId: newId() };
  const token = links.linkTo(whose, payeeSince, madeAt).split('/').at(-1) ?? '';
  const found = (
    ms: number,
    payee: { createdAt: Date } | null = { createdAt: payeeSince },
  ): Promise<PortalLink | null> => {
    const clock = { now: () => new Date(madeAt.getTime() + ms) };
    const payees = { find: async () => payee };
    return new FindPageLink({} as never, {} as never, links, payees as never, clock as never).wallet(token);
  };

  test('opens for thirty days', async () => {
    expect(await found(30 * DAY_MS)).toEqual({ ...whose, linkMadeAt: madeAt });
    expect(await found(30 * DAY_MS + 1)).toBeNull();
  });

  test('of a payee who is not there opens nothing', async () => {
    expect(await found(0, null)).toBeNull();
  });
});

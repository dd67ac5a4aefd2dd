import { TooMany } from '#libs/domain';
import type { MailsSent } from '#libs/mail';
import { SendPortalLink } from './send-portal-link';
import { SetUpAccount } from './set-up-account';

describe('a link that is not mailed', () => {
  const client = { id: 'c', name: 'Brass', brand: {}, locale: null } as never;
  const payee = { id: 'p', name: 'Ada', email: 'ada@example.com', locale: null };
  const sender = (why: MailsSent['why']): SendPortalLink =>
    new SendPortalLink(
      { find: async () => payee } as never,
      {
        with: (_: string[], work: (payees: Map<string, unknown>) => unknown) => work(new Map([['p', payee]])),
      } as never,
      { recentLinks: async () => ({ links: 0 }), addLink: async () => ({ id: 'l', token: 't' }) } as never,
      { run: async () => ({ why, limit: 9, resetSeconds: 60 }) } as never,
      { addressOf: () => payee.email, linkTo: () => 'https://pay.example/portal/open/t' } as never,
    );

  test.each([
    ['rate_limited', 'ADDRESS_IN_AN_HOUR', "the payee's address got too many mails"],
    ['no_mails_left', 'CLIENT_IN_A_DAY', 'the client had too many mails sent in a day'],
  ] as const)('says %s of %s', async (code, why, said) => {
    const links = sender(why);
    const refused = links.run(client, 'p');
    await expect(refused).rejects.toThrow(TooMany);
    await expect(refused).rejects.toMatchObject({ code: 'rate_limited', message: expect.stringContaining(said) });
    const accounts = new SetUpAccount({} as never, links, {} as never, {} as never, {} as never);
    expect(await accounts.mailLink({ client, payee } as never, true)).toEqual({
      why: code,
      rateLimit: { limit: 9, resetSeconds: 60 },
    });
  });
});

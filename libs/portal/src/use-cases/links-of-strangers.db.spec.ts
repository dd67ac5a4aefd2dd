/**
 * Whoever found the link of a mail, or of a payment, has a fresh link mailed to its payee. It uses up none of those that a client or an
 * open wallet asks for (ADR 65): nor of the mails that may go to their address.
 */
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import type { Payee } from '#libs/payees';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PageLinkStore } from '../db/page-link.store';
import { PortalModule } from '../portal.module';
import { FindPageLink } from './find-page-link';
import { SendPortalLink } from './send-portal-link';
import { TakeClick } from './take-click';

/** As a deployment has it that says nothing. */
const MAILS_PER_ADDRESS = 20;

describe('a stranger who found a link', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
    world.module.get<Config>(CONFIG, { strict: false }).mailsPerAddress = MAILS_PER_ADDRESS;
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    payee = await world.payee(client, { country: 'IT', email: `${Math.random().toString(36).slice(2)}@example.com` });
  });

  const sends = (byLink: boolean): Promise<Date> => world.get(SendPortalLink).run(client, payee.id, byLink);
  const passes = (minutes: number): Promise<unknown> =>
    Promise.all([
      world.db.execute(`UPDATE page_links SET created_at = created_at - make_interval(mins => $1)`, [minutes]),
      world.db.execute(
        `UPDATE mails SET created_at = created_at - make_interval(mins => $1), allowed_at = allowed_at - make_interval(mins => $1)`,
        [minutes],
      ),
    ]);

  test('keeps no payee out for an hour by five clicks', async () => {
    for (let clicks = 0; clicks < 5; clicks += 1) {
      await sends(true);
      await passes(4);
    }
    await expect(sends(false)).resolves.toEqual(expect.any(Date));
  });

  test('uses up no click of an open wallet by ten of their own', async () => {
    const whose = { clientId: client.id, payeeId: payee.id, returnUrl: 'https://app.example/', frameOrigin: null };
    const { token } = await world.get(PageLinkStore).add('onboarding', whose);
    const link = await world.get(FindPageLink).onboarding(token, false);
    if (!link) throw new Error('The link opens nothing.');
    const clicks = [];
    const click = () => world.get(TakeClick).run({ link, client, payee }, async () => true);
    for (let count = 0; count < 11; count += 1) clicks.push(await click());
    expect(clicks.map(({ kind }) => kind)).toEqual([...Array(10).fill('back'), 'often']);
    expect(clicks.at(-1)).toMatchObject({ rateLimit: { limit: 10, resetSeconds: expect.any(Number) } });
    expect(await world.get(TakeClick).fromWallet({ client, payee }, whose.returnUrl)).toMatchObject({ kind: 'back' });
  });

  test('keeps no payee out for a day by ten clicks', async () => {
    for (let clicks = 0; clicks < 10; clicks += 1) {
      await sends(true);
      await passes(20);
    }
    await expect(sends(false)).resolves.toEqual(expect.any(Date));
  });
});

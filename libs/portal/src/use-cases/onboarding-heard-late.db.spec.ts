/** The site that a client's receiver was on until a moment ago, said at another process whose word has not come here yet: what a link holds stays. */
import { type Client, ClientRegistry } from '#libs/clients';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { PortalModule } from '../portal.module';
import { IssueOnboardingLink } from './issue-onboarding-link';

const [OLD, NEW] = ['https://old.example', 'https://new.example'];

describe('a link to the page of a payee, whose client moved elsewhere', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [PortalModule],
      does: (name) => name.startsWith('mail') || name.startsWith('owed'),
    });
  });
  afterAll(() => world.stop());

  test('leads nobody back to the old site, and lets it show the page in no frame', async () => {
    const { id } = await world.client({ webhookUrl: `${OLD}/hooks` });
    const client = (await world.get(ClientRegistry).byId(id))?.client as Client; // as any request of it knows it
    const payee = await world.payee(client, { country: 'FR' });
    await world.db.execute('UPDATE clients SET webhook_url = $2 WHERE id = $1', [id, `${NEW}/hooks`]);
    const issued = world.get(IssueOnboardingLink).run(client, payee.id, { returnUrl: `${OLD}/back`, mode: 'iframe' });
    await expect(issued).rejects.toMatchObject({ code: 'invalid_return_url' });
  });
});

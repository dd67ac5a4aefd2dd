/** Who a payee is changes between two tries to open an account for them: the account is that of who they are. */
import type { Client } from '#libs/clients';
import { OpenAccount, type Payee, UpsertPayee } from '#libs/payees';
import type { AccountRequest, OpeningAnswer } from '#libs/rail-kit';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('an account that was asked for and not opened yet', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let requests: AccountRequest[];
  let first: OpeningAnswer;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    requests = [];
    const openAccount = async (request: AccountRequest): Promise<OpeningAnswer> => {
      requests.push(request);
      if (requests.length === 1) return first;
      world.rail.accounts.set(`acct_${request.key}`, { ...PAYABLE, payable: false, kyc: 'not_started' });
      return { kind: 'opened', accountId: `acct_${request.key}` };
    };
    Object.assign(world.rail, { openAccount });
    payee = await world.payee(client, { country: 'FR', email: 'old@example.com' });
  });

  test.each<[string, OpeningAnswer]>([
    ['its rail wanted to be left alone', { kind: 'not_now', afterSeconds: 1, detail: 'maintenance' }],
    ['the answer was lost', { kind: 'unknown', detail: 'no answer' }],
  ])('is not one of who they were, if %s and their address is another one since', async (_, answer) => {
    first = answer;
    const open = () => world.get(OpenAccount).run(client, payee.id);
    expect(await open()).toMatchObject({ kind: 'later' });
    const { externalId, name, country } = payee;
    await world.get(UpsertPayee).run(client, { externalId, name, country, email: 'new@example.com' });
    await new Promise((over) => setTimeout(over, 1_100)); // the rest of its rail
    const opened = await open();
    // With nobody who could say whether the first is there, nothing is as good as one of theirs.
    if (opened.kind === 'account') expect(requests.at(-1)?.payee.email).toBe('new@example.com');
  });
});

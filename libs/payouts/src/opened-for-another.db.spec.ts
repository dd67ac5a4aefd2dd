/** Who a payee is changes between two tries to open an account for them, or during one: the account is that of who they are. */
import type { Client } from '#libs/clients';
import { OpenAccount, type Payee, UpsertPayee } from '#libs/payees';
import type { AccountRequest, OpeningAnswer } from '#libs/rail-kit';
import { type MoneyWorld, PAYABLE, startMoneyWorld } from '../testing/src';

describe('an account that was asked for and not opened yet', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let requests: AccountRequest[];
  let answer: (request: AccountRequest) => Promise<OpeningAnswer>;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    requests = [];
    const openAccount = async (request: AccountRequest): Promise<OpeningAnswer> => {
      requests.push(request);
      return answer(request);
    };
    Object.assign(world.rail, { openAccount });
    payee = await world.payee(client, { country: 'FR', email: 'old@example.com' });
  });

  const opens = async ({ key }: AccountRequest): Promise<OpeningAnswer> => {
    const accountId = `acct_${key}`;
    world.rail.accounts.set(accountId, PAYABLE);
    return { kind: 'opened', accountId };
  };
  const open = () => world.get(OpenAccount).run(client, payee.id);
  const changes = async (to: { email?: string; country?: string }): Promise<void> => {
    await world.get(UpsertPayee).run(client, { externalId: payee.externalId, ...to });
  };

  test.each<[string, OpeningAnswer]>([
    ['its rail could not do it', { kind: 'refused', failure: 'transient', reason: 'maintenance' }],
    ['the answer was lost', { kind: 'unknown', detail: 'no answer' }],
  ])('is asked for anew under another key, if %s and their address is another one since', async (_, first) => {
    answer = async () => first;
    expect(await open()).toMatchObject({ kind: 'later' });
    await changes({ email: 'new@example.com' });
    answer = opens;
    expect(await open()).toMatchObject({ kind: 'account' });
    expect(requests.map((request) => request.payee.email)).toEqual(['old@example.com', 'new@example.com']);
    expect(requests[0]?.key).not.toBe(requests[1]?.key);
  });

  test('is not linked to who they are by now, and the next one is', async () => {
    answer = async (request) => {
      await changes({ email: 'new@example.com' });
      return opens(request);
    };
    await expect(open()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await world.db.rows('SELECT FROM methods WHERE payee_id = $1', [payee.id])).toEqual([]);
    answer = opens;
    expect(await open()).toMatchObject({ kind: 'account' });
    expect(requests.at(-1)?.payee.email).toBe('new@example.com');
  });

  test('is theirs, if they only had no address before', async () => {
    payee = await world.payee(client, { country: 'FR', email: null });
    answer = async (request) => {
      await changes({ email: 'first@example.com' });
      return opens(request);
    };
    expect(await open()).toMatchObject({ kind: 'account' });
    expect(requests).toHaveLength(1);
  });
});

/** A payout that was sent once goes where it was fixed to on every try: another account of its payee says nothing about it. */
import type { Client } from '#libs/clients';
import type { Payee } from '#libs/payees';
import type { AccountFact } from '#libs/rail-kit';
import { type MoneyWorld, PAYABLE, refused, settled, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

type OpenedAccount = Extract<AccountFact, { kind: 'account' }>;

describe('a payout that its rail refused for now is tried again', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ coolDownSeconds: 0 });
  });

  /** What becomes of it if its payee takes such an account before it is tried again. */
  const triedAgain = async (payee: Payee, account: Partial<OpenedAccount>) => {
    world.rail.answers = () => refused();
    const { id, railKey } = await world.pay(client, payee);
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    const accountId = `acct_new_${id}`;
    world.rail.accounts.set(accountId, { ...PAYABLE, ...account } as OpenedAccount);
    await world.adopt(client, payee, accountId);
    world.rail.answers = () => settled();
    world.rail.knows.set(railKey, refused());
    await world.get(RemedyPayout).retry(await world.payout(id), 'operator');
    if ((await world.status(id)) === 'submitted') await world.drive(id);
    return world.payout(id);
  };

  test('to its address, though its payee began to set up an account since', async () => {
    const payee = await world.payee(client, { country: 'DE' });
    const after = await triedAgain(payee, { payable: false, kyc: 'pending' });
    expect(after).toMatchObject({ status: 'paid', provider: 'claim_rail', accountId: null });
  });

  test('to its account, though its payee has one in another country since', async () => {
    const payee = await world.payee(client, { country: 'FR' });
    const accountId = await world.adopt(client, payee);
    const after = await triedAgain(payee, { country: 'PL' });
    expect(after).toMatchObject({ status: 'paid', provider: 'custodial_a', accountId });
  });
});

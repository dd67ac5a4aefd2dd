/** A payout pays to the account it was authorized for, though its payee adopted another since: that one is what is looked at. */
import type { Client } from '#libs/clients';
import { type Payee, PayabilityJob, PayeeReads } from '#libs/payees';
import { accepted, type MoneyWorld, PAYABLE, refused, settled, startMoneyWorld } from '../testing/src';
import { RemedyPayout } from './use-cases/remedy-payout';

const NOT_PAYABLE = { ...PAYABLE, payable: false, kyc: 'rejected', kycReason: 'closed' } as typeof PAYABLE;
const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('a payout to an account that was replaced since', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  let old: string;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client({ coolDownSeconds: 0 });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    payee = await world.payee(client, { country: 'FR' });
    old = await world.adopt(client, payee);
  });

  const sentTo = (): (string | null)[] => world.rail.calls.map(({ order }) => order.accountId);
  const release = async (id: string) => world.get(RemedyPayout).release(await world.payout(id), 'client');
  const read = async (): Promise<void> => {
    await world.db.execute('UPDATE methods SET ask_at = now()');
    await world.get(PayabilityJob).now();
  };
  /** It was sent and never arrived, and its account was found not payable before the next send. */
  const held = async (): Promise<string> => {
    const { id } = await world.pay(client, payee);
    world.rail.answers = () => NO_ANSWER;
    await world.drive(id);
    await world.age(id, 60);
    world.rail.accounts.set(old, NOT_PAYABLE);
    await read();
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'held', accountId: old });
    world.rail.answers = () => accepted();
    return id;
  };

  test('is held if that account stopped being payable, and of its payee that says nothing', async () => {
    const { id } = await world.pay(client, payee);
    await world.adopt(client, payee);
    world.rail.accounts.set(old, NOT_PAYABLE);
    world.rail.answers = () => accepted();
    await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'held', accountId: old });
    expect((await world.payout(id)).statusReason).toContain('not_payable');
    expect(sentTo()).toEqual([]);
    expect(await world.get(PayeeReads).find(client.id, payee.id)).toMatchObject({
      ...{ payable: true, kycStatus: 'verified' },
    });
    // What is new goes to the new account.
    const next = await world.pay(client, payee);
    await world.drive(next.id);
    expect(sentTo()).toEqual([expect.not.stringContaining(old)]);
  });

  test('goes there by what is known if the rail does not answer', async () => {
    const { id } = await world.pay(client, payee);
    await world.adopt(client, payee);
    world.rail.accounts.set(old, NO_ANSWER);
    world.rail.answers = () => accepted();
    await world.drive(id);
    expect(sentTo()).toEqual([old]);
  });

  test('that was held goes on once that account is payable again', async () => {
    const id = await held();
    await world.adopt(client, payee);
    world.rail.accounts.set(old, PAYABLE);
    await release(id);
    await world.drive(id);
    expect(sentTo()).toEqual([old, old]);
  });

  test('is not released to it by the other being payable', async () => {
    const id = await held();
    await world.adopt(client, payee);
    expect(await release(id)).toMatchObject({ status: 'held', statusReason: 'not_payable' });
    await world.drive(id).catch(() => undefined); // at rest it has no job
    expect(sentTo()).toEqual([old]);
  });

  test('is not tried again by a request, which looks no second time', async () => {
    const provider = 'at_once_account';
    payee = await world.payee(client, { country: 'PT' });
    old = await world.adopt(client, payee, `acct_${payee.id}`, provider);
    world.rail.answers = () => refused();
    const { id, railKey } = await world.pay(client, payee);
    expect(await world.status(id)).toBe('failed');
    world.rail.knows.set(railKey, refused());
    await world.adopt(client, payee, `acct_other_${payee.id}`, provider);
    world.rail.accounts.set(old, NOT_PAYABLE);
    world.rail.answers = () => settled();
    const after = await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    expect(after).toMatchObject({ status: 'held', statusReason: 'not_payable' });
    expect(sentTo()).toEqual([old]);
  });
});

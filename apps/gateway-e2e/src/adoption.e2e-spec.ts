/** Adopting a rail account, in test mode read from the mock rail whatever rail is named. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, newClient } from './harness/api';

describe('adopting a rail account', () => {
  let client: ApiClient;
  const account = (prefix = 'acct'): string => `${prefix}_${randomUUID()}`;
  const adopt = (payeeId: string, providerAccountId: string, provider = 'custodial_a') =>
    client.post(`/payees/${payeeId}/methods`, { provider, providerAccountId });

  beforeAll(async () => {
    client = await newClient();
  });

  test('a payable account makes the payee payable and verified', async () => {
    const payee = await client.payee();
    const { status, body } = await adopt(payee.id, account());
    expect(status).toBe(200);
    expect(body.method).toMatchObject({ payeeId: payee.id, provider: 'custodial_a', payable: true, status: 'active' });
    expect(body.payee).toMatchObject({ payable: true, kycStatus: 'verified', onboardingStatus: 'complete' });
  });

  test('the same adoption again is the same method', async () => {
    const payee = await client.payee();
    const id = account();
    const first = (await adopt(payee.id, id)).body;
    const second = (await adopt(payee.id, id)).body;
    expect(second.method.id).toBe(first.method.id);
  });

  test('a restricted account is linked and not payable', async () => {
    const payee = await client.payee();
    const { status, body } = await adopt(payee.id, account('acct_restricted'));
    expect(status).toBe(200);
    expect(body.method.payable).toBe(false);
    expect(body.payee).toMatchObject({ payable: false, kycStatus: 'pending', onboardingStatus: 'restricted' });
    const readiness = (await client.get(`/payees/${payee.id}/readiness`)).body;
    expect(readiness.blockers).toEqual(['kyc_incomplete', 'not_payable']);
  });

  test.each(['acct_missing', 'acct_foreign', 'acct_down'])('%s cannot be confirmed', async (prefix) => {
    const payee = await client.payee();
    const { status, body } = await adopt(payee.id, account(prefix));
    expect([status, body.error]).toEqual([422, 'account_unverifiable']);
    expect((await client.get(`/payees/${payee.id}`)).body.payable).toBe(false);
  });

  test('an account of another payee stays with it, and nobody is told whose it is', async () => {
    const [owner, other] = [await client.payee(), await client.payee()];
    const id = account();
    await adopt(owner.id, id);
    const refused = await adopt(other.id, id);
    expect([refused.status, refused.body.error]).toEqual([409, 'account_already_linked']);
    expect(JSON.stringify(refused.body)).not.toContain(owner.id);
    const stranger = await newClient();
    const foreign = await stranger.payee();
    const refusedToo = await stranger.post(`/payees/${foreign.id}/methods`, {
      provider: 'custodial_a',
      providerAccountId: id,
    });
    expect(refusedToo.body).toEqual(refused.body);
  });

  test('what a person recognises the account by is told, and no more of its number than the end', async () => {
    const payee = await client.payee();
    const { body } = await adopt(payee.id, account());
    expect(body.method.details).toEqual({
      ...{ brand: 'Mock Bank', last4: expect.stringMatching(/^\d{4}$/), currency: 'USD', country: null, name: null },
      readAt: expect.stringMatching(/Z$/),
    });
  });

  test('a rejected account stays rejected, whoever reads it meanwhile, until it is mended', async () => {
    const payee = await client.payee();
    await adopt(payee.id, account());
    const decide = (body: object): Promise<Answer> => client.post(`/test/payees/${payee.id}/onboarding`, body);
    const readiness = async () => (await client.get(`/payees/${payee.id}/readiness`)).body;
    await decide({ outcome: 'rejected', reason: 'the photograph is blurred' });
    expect((await readiness()).blockers).toEqual(['kyc_rejected', 'not_payable']);
    const rejected = (await client.get(`/payees/${payee.id}`)).body;
    expect(rejected).toMatchObject({ kycStatus: 'rejected', kycReason: 'the photograph is blurred', payable: false });
    await decide({ outcome: 'verified' });
    expect(await readiness()).toMatchObject({ payable: true, kycStatus: 'verified', blockers: [] });
    expect((await client.get(`/payees/${payee.id}`)).body.kycReason).toBeNull();
  });

  test('adopting another account replaces the first', async () => {
    const payee = await client.payee();
    await adopt(payee.id, account());
    const { body } = await adopt(payee.id, account('acct_restricted'), 'custodial_b');
    expect(body.payee.payable).toBe(false);
    expect(body.method.provider).toBe('custodial_b');
  });

  test.each(['mock', 'claim_rail', 'swap_rail', 'nonsense'])(
    '%s is no rail with accounts to adopt',
    async (provider) => {
      const payee = await client.payee();
      const { status, body } = await adopt(payee.id, account(), provider);
      expect([status, body.error]).toEqual([400, 'invalid_request']);
    },
  );

  test('a change of who the payee is starts a cool-down for methods', async () => {
    const careful = await newClient({ coolDownSeconds: 3600 });
    const payee = await careful.payee();
    const [first, second] = [account(), account()];
    const use = (providerAccountId: string): Promise<Answer> =>
      careful.post(`/payees/${payee.id}/methods`, { provider: 'custodial_a', providerAccountId });
    await use(first);
    const { method } = (await use(second)).body;
    await careful.post('/payees', { externalId: payee.externalId, email: 'thief@example.com' });
    for (const other of [account(), first]) {
      const refused = await use(other);
      expect([refused.status, refused.body.error]).toEqual([409, 'payee_cooling_down']);
    }
    const repeated = await use(second);
    expect([repeated.status, repeated.body.method.id]).toEqual([200, method.id]);
  });
});

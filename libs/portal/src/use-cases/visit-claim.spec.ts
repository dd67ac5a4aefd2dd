import { wordsIn } from '#libs/payee-words';
import type { Payout } from '#libs/payout-rules';
import { type CameBack, cameBack } from '../came-back';
import { claimPage } from '../pages/claim';
import { type ClaimVisit, VisitClaim } from './visit-claim';

const NOW = new Date('2026-11-25T12:00:00Z');
const PAYOUT = {
  ...{
    id: 'one',
    clientId: 'c',
    payeeId: 'p',
    amountCents: 1_000,
    currency: 'USD',
    provider: 'rail',
    custody: 'claim',
  },
  ...{ status: 'submitted', statusReason: null, failureKind: null, claimUrl: 'https://pay.example', claimedAt: null },
  ...{ consolidates: false, supersededBy: null, submittedAt: NOW, codeSince: NOW, legs: [], destination: null },
};

const CLIENT = { status: 'active', checksPayees: false, withdrawPolicy: {} };

describe('the page of a payment', () => {
  const visitOf = async (of: Partial<Payout>, payee: object = {}, client: object = {}): Promise<ClaimVisit> => {
    const visits = new VisitClaim(
      {} as never,
      {} as never,
      { stored: async () => ({ ...CLIENT, ...client }) } as never,
      { find: async () => ({ id: 'p', email: 'ada@example.com', payable: true, provider: 'rail', ...payee }) } as never,
      { traits: () => ({ custody: 'claim', claimedWithinDays: 30 }), leadsPayees: () => false } as never,
    );
    return (await visits.run({ ...PAYOUT, ...of } as never)) as ClaimVisit;
  };
  const pageOf = async (of: Partial<Payout>, back?: CameBack, client: object = {}): Promise<string> => {
    const visit = await visitOf(of, {}, client);
    const frame = { words: wordsIn('en'), nonce: 'n', brand: {}, from: 'Brass', action: null, isOutOfReach: false };
    return claimPage({ ...frame, visit, back: back ?? cameBack(visit.payout, [], true) });
  };

  test('says what becomes of it if nobody claims it', async () => {
    expect(await pageOf({})).toContain('After that it goes back to Brass.');
    expect(await pageOf({ consolidates: true })).toContain('or you have to withdraw it again.');
    const withdrawPolicy = { enabled: false };
    expect(await pageOf({ consolidates: true }, undefined, { withdrawPolicy })).toContain(
      'After that it is still yours, but Brass has to send it again.',
    );
  });

  test('is no end of what the service tries again', async () => {
    const short = { status: 'failed', failureKind: 'transient', statusReason: 'rail_out_of_funds: empty' } as const;
    const page = await pageOf(short);
    expect(page).toContain('This payment was not sent yet');
    expect(page).toContain('you do not need to do anything.');
    expect(await pageOf({ ...short, consolidates: true })).toContain('you do not need to withdraw it again.');
    expect((await visitOf(short)).hasComeBack).toBe(false);
  });

  test('of what left by itself says that it is theirs again', async () => {
    const over = { status: 'failed', failureKind: 'permanent', source: 'auto_release', consolidates: true } as const;
    expect(await visitOf(over)).toMatchObject({ stage: 'over', hasComeBack: true });
    expect(await pageOf({ ...over, statusReason: 'claim_expired' }, 'owed')).toContain('Withdraw it again.');
  });

  test('is on hold while its payee is blocked, and leads to the account that became unready', async () => {
    const sent = { status: 'authorized', custody: 'custodial' } as const;
    expect(await visitOf(sent)).toMatchObject({ stage: 'soon', notice: null });
    expect(await visitOf(sent, { blocked: true })).toMatchObject({ stage: 'held', notice: 'on_hold' });
    const held = { ...sent, status: 'held', statusReason: 'below_min_payout' } as const;
    expect((await visitOf(held, { payable: false })).notice).toBe('set_up');
  });

  test('calls no account ready that did not take it', async () => {
    const page = await pageOf({ status: 'held', statusReason: 'not_payable: closed', custody: 'custodial' });
    expect(page).toContain('It could not be paid to your account. Check where you are paid, then tell Brass.');
    expect(page).not.toContain('is ready');
  });

  test('asks to see what is left unless they are being checked, or are blocked', async () => {
    const held = { status: 'held', statusReason: 'not_payable' } as const;
    const of = async (payee: object): Promise<boolean> =>
      (await visitOf(held, { payable: false, ...payee })).isTheirTurn;
    expect(await of({ kycStatus: 'not_started' })).toBe(true);
    expect(await of({ kycStatus: 'pending', onboardingStatus: 'complete' })).toBe(false);
    expect(await of({ kycStatus: 'not_started', blocked: true })).toBe(false);
  });

  test('of one that nobody took says what is true of one that was taken back as well', async () => {
    const page = await pageOf({ status: 'failed', failureKind: 'permanent', statusReason: 'claim_expired: cancelled' });
    expect(page).toContain('This payment can no longer be claimed');
    expect(page).toContain('It was not claimed in time, or was taken back.');
  });

  test('says why the last address was refused, if its rail told the payee', async () => {
    const refused = { said: 'refused', destination: 'x', over: true, refusal: 'This address was not let through.' };
    const legs = [refused, { said: null, awaitsPayee: true }] as never;
    expect(await pageOf({ legs })).toContain('Reason: This address was not let through.');
  });
});

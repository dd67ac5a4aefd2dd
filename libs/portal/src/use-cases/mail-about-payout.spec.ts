import { OUR_PAGE } from '#libs/domain';
import type { NewMail } from '#libs/mail';
import type { Leg, Payout } from '#libs/payout-rules';
import { MailAboutPayout } from './mail-about-payout';

const REFUSED = { name: 'drain', said: 'refused', destination: 'nowhere', over: true } as Leg;
const WAITING = { name: 'drain', said: null, awaitsPayee: true } as Leg;

describe('the mail about a payment that waits for its payee', () => {
  const mailsOf = async (of: Partial<Payout>, seen: object = {}, isByHand = false): Promise<NewMail[]> => {
    const payout = { id: 'p', clientId: 'c', status: 'submitted', source: 'payout', claimUrl: OUR_PAGE.open, ...of };
    const found = {
      ...{ amountCents: 1_000, currency: 'USD', destination: { email: 'ada@example.com' }, submittedAt: null },
      ...payout,
    };
    const client = { name: 'Brass', brand: {}, mails: {}, withdrawPolicy: {} };
    const visit = { payout: found, payee: {}, client, until: null, ...seen };
    const sent: NewMail[] = [];
    const mails = new MailAboutPayout(
      {
        find: async () => found,
        wentOnByHand: async () => isByHand,
        ifStillThere: (_: string, work: () => Promise<void>) => work(),
      } as never,
      { run: async () => visit } as never,
      { shown: () => 'https://pay.example/claim/1', linkTo: () => 'https://pay.example/claim/1' } as never,
      { queue: async (news: NewMail[]) => void sent.push(...news) } as never,
      { now: () => new Date(0) } as never,
    );
    await mails.run('p');
    return sent;
  };
  /** The kinds of what is mailed about it. */
  const mailed = async (of: Partial<Payout>, isByHand = false): Promise<string[]> =>
    (await mailsOf(of, {}, isByHand)).map(({ kind }) => kind);

  test('leads there, unless whoever made it go on tells them', async () => {
    expect(await mailed({ legs: [WAITING] })).toEqual(['claim_link']);
    expect(await mailed({ legs: [WAITING] }, true)).toEqual([]);
    expect(await mailed({ legs: [WAITING], source: 'batch' })).toEqual([]);
  });

  test.each([
    ['by a payout', {}, false],
    ['by a row of a batch', { source: 'batch' }, false],
    ['once a person made it go on', {}, true],
  ] as const)('says that the address was refused, which nobody else tells them: %s', async (_, of, isByHand) => {
    expect(await mailed({ legs: [REFUSED, WAITING], ...of }, isByHand)).toEqual(['payout_needs_you']);
  });

  test.each([
    ['Your bank sent back $10.00 from Brass. Check your account', 'custodial', false],
    ['then withdraw it again. The bank may keep a fee.', 'custodial', true],
    ['$10.00 from Brass was sent back. Please contact Brass.', 'claim', false],
    ['$10.00 from Brass came back. Withdraw it again.', 'claim', true],
  ] as const)('says of what was sent back: %s', async (said, custody, consolidates) => {
    const [mail] = await mailsOf({ status: 'returned', consolidates }, { custody });
    expect(mail?.text).toContain(said);
  });

  test('tells nobody to withdraw what came back whose payer does not let them', async () => {
    const client = {
      name: 'Brass',
      brand: {},
      mails: {},
      withdrawPolicy: { perSource: { portal: { enabled: false } } },
    };
    const [mail] = await mailsOf({ status: 'returned', consolidates: true }, { custody: 'custodial', client });
    expect(mail?.text).toContain('Check your account details, then contact Brass.');
  });

  test('tells who is ready by now that it was held', async () => {
    const held = { status: 'held', statusReason: 'not_payable' } as const;
    const [mail] = await mailsOf(held, { payee: { payable: true }, custody: 'custodial' });
    expect(mail?.kind).toBe('payout_needs_you');
  });

  const SET_UP = { status: 'held', statusReason: 'not_payable' } as const;
  const NOT_ACCEPTED = {
    status: 'held',
    statusReason: 'not_payable: debit card only',
    submittedAt: new Date(0),
  } as const;
  test.each([
    [1, 'whose account is not there yet', { kycStatus: 'not_started' }, 'custodial'],
    [1, 'whose rail waits for more of them', { kycStatus: 'pending', onboardingStatus: 'in_progress' }, 'custodial'],
    [
      1,
      'who is being checked, and may be asked for more',
      { kycStatus: 'pending', onboardingStatus: 'complete' },
      'custodial',
    ],
    [0, 'who is paid by an address that was changed', { kycStatus: 'not_started', payable: true }, 'claim'],
  ] as const)('asks %s times to set up an account, of somebody %s', async (times, _, payee, custody) => {
    expect(await mailsOf(SET_UP, { payee, custody })).toHaveLength(times);
  });

  test.each([
    ['pending', 'you do not need to do anything now', 'See my payment'],
    ['rejected', 'your details could not be confirmed', 'See my payment'],
    ['not_started', 'your account is not ready yet', 'Set up my account'],
  ])('asks nobody to set up an account who could not: %s', async (kycStatus, said, button) => {
    const [mail] = await mailsOf(SET_UP, { payee: { kycStatus, onboardingStatus: 'complete' }, custody: 'custodial' });
    for (const each of [said, button]) expect(mail?.text).toContain(each);
  });

  test('asks nobody to tell who pays them of what is tried again by itself', async () => {
    const held = NOT_ACCEPTED;
    const [mail] = await mailsOf(held, { payee: { payable: true }, custody: 'custodial', goesOn: true });
    for (const said of ['It is tried again by itself.', '$10.00']) expect(mail?.text).toContain(said);
    expect(mail?.text).not.toContain('then tell Brass');
  });

  test.each([
    [true, 'Brass: a payment did not reach your account', 'Check where you are paid, then tell Brass.'],
    [false, 'Brass wants to pay you', 'your account is not ready yet'],
  ])('says of what its account did not take, and is payable %s: %s', async (payable, subject, said) => {
    const [mail] = await mailsOf(NOT_ACCEPTED, { payee: { payable }, custody: 'custodial' });
    expect(mail).toMatchObject({ kind: 'payout_needs_you', subject });
    expect(mail?.text).toContain(said);
  });
});

import { OUR_PAGE } from '#libs/domain';
import type { NewMail } from '#libs/mail';
import type { Leg, Payout } from '#libs/payout-rules';
import { MailAboutPayout } from './mail-about-payout';

const REFUSED = { name: 'drain', said: 'refused', destination: 'nowhere', over: true } as Leg;
const WAITING = { name: 'drain', said: null, awaitsPayee: true } as Leg;

describe('the mail about a payment that waits for its payee', () => {
  /** The kinds of what is mailed about it. */
  const mailed = async (of: Partial<Payout>, isByHand = false): Promise<string[]> => {
    const payout = { id: 'p', clientId: 'c', status: 'submitted', source: 'payout', claimUrl: OUR_PAGE.open, ...of };
    const found = { amountCents: 1_000, currency: 'USD', destination: { email: 'ada@example.com' }, ...payout };
    const visit = { payout: found, payee: {}, client: { name: 'Brass', brand: {}, mails: {} }, until: null };
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
    return sent.map(({ kind }) => kind);
  };

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
});

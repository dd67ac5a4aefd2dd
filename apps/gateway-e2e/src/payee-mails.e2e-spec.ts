/** Mails about payments for which a payee has something to do, beside the links they are sent. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, type Json, newClient, operator } from './harness/api';
import { browse } from './harness/browse';
import { Browser, formOf, linkIn, mailsTo } from './harness/wallet';

const fresh = (): { email: string } => ({ email: `${randomUUID()}@example.com` });
const pageIn = ({ text }: Json): string => /https?:\/\/\S+\/claim\/[\w-]{64}/.exec(text)?.[0] ?? '';

describe('a payee is mailed', () => {
  const bounce = async (client: ApiClient, payee: Json): Promise<void> => {
    const { id } = (await client.payout(payee.id)).body;
    await client.post(`/test/payouts/${id}/return`, {});
  };

  test('that a payment came back, once, with what became of it', async () => {
    const client = await newClient({ name: 'Brass & Sons', locale: 'de' });
    const payee = await client.payablePayee(fresh());
    await bounce(client, payee);
    const [mail] = await mailsTo(payee.email, 1);
    expect(mail).toMatchObject({ kind: 'payout_returned', subject: 'Eine Zahlung von Brass & Sons kam zurück' });
    expect(mail.text).toContain('Sie haben dieses Geld noch nicht.');
    expect(mail.text).not.toContain('ignorieren');
    expect((await browse(pageIn(mail))).text).toContain('Your bank sent it back.');
    await client.post('/payees', { externalId: payee.externalId, metadata: { a: 'b' } });
    expect(await mailsTo(payee.email, 1)).toHaveLength(1);
  });

  test('that a payment needs them, once a day, and gets on from its page to their account', async () => {
    const client = await newClient({ name: 'Brass & Sons' });
    const payee = await client.payee(fresh());
    for (let turn = 0; turn < 3; turn += 1) await client.payout(payee.id);
    const [mail] = await mailsTo(payee.email, 1);
    expect(mail).toMatchObject({ kind: 'payout_needs_you', subject: 'Brass & Sons wants to pay you' });
    const page = await browse(pageIn(mail));
    expect(page.text).toContain('Your account is not ready yet. See what is left.');
    await browse(formOf(page, '/claim/'), 'POST');
    const mails = await mailsTo(payee.email, 2);
    expect(mails.map(({ kind }) => kind).sort()).toEqual(['payout_needs_you', 'portal_link']);
    const theirs = new Browser();
    await theirs.open(linkIn(mails.find(({ kind }) => kind === 'portal_link')));
    expect((await theirs.get('/portal')).text).toContain('Set up my account');
    expect((await theirs.get(new URL(pageIn(mail)).pathname)).text).toContain('href="/portal"');
  });

  test('nothing of it where the client says so, which others are mailed', async () => {
    const quiet = await newClient({ mails: { payoutReturned: false, payoutNeedsYou: false } });
    const half = await newClient({ mails: { payoutReturned: false } });
    const [ready, other] = [await quiet.payablePayee(fresh()), await quiet.payee(fresh())];
    await bounce(quiet, ready);
    await quiet.payout(other.id);
    const third = await half.payee(fresh());
    await half.payout(third.id);
    expect(await mailsTo(third.email, 1)).toHaveLength(1);
    for (const { email } of [ready, other]) expect(await mailsTo(email, 0)).toEqual([]);
    const { body } = await operator('PATCH', `/clients/${quiet.id}`, { mails: { payoutReturned: true } });
    expect(body.mails).toEqual({ payoutReturned: true });
  });

  test.each([[{ payoutReturned: 'no' }], [{ other: true }], [[]], ['off'], [{ payoutNeedsYou: null }]])(
    'by settings that are none: %j',
    async (mails) => {
      const client = await newClient();
      expect((await operator('PATCH', `/clients/${client.id}`, { mails })).status).toBe(400);
    },
  );
});

/** What an operator meets at night: what was done, what was not, and what to do about that. */
import { answers, CLIENT, gw, ID, standIn } from './testing/stand-in';

standIn();

describe('payouts that are released together', () => {
  const row = { id: ID, clientId: ID, amountCents: 5, currency: 'USD', createdAt: 'then', statusReason: null };
  const refused = { ...row, status: 'held', error: 'payout_not_releasable', message: 'The client is suspended.' };
  const words = ['payouts', 'release-held', '--reason', 'over_cap', '--yes'];

  test.each([[[]], [['--json']]])('say of each why it was not, and that not all was done (%j)', async (more) => {
    const done = { ...row, status: 'paid', error: null, message: null };
    answers['POST /payouts/release'] = { data: [done, refused], nextCursor: null };
    const { code, out, err } = await gw(...words, ...more);
    expect([code, out]).toEqual([1, expect.stringContaining('paid')]);
    expect(err).toBe(`gw: 1 of 2 were not released:\n  ${ID} payout_not_releasable: The client is suspended.\n`);
  });
});

test('a payee whose block is lifted has payouts that are held still, and how they go on is said', async () => {
  answers[`PATCH /payees/${ID}`] = { id: ID, clientId: CLIENT.id, blocked: false };
  const { code, out } = await gw('payees', 'unblock', ID);
  expect([code, out]).toEqual([0, expect.stringContaining(`gw payouts list --payee ${ID} --status held`)]);
  expect(out).toContain(`gw payouts release-held --reason route_blocked --client ${ID} --yes`);
});

/** What a developer's own commands say, and what they leave alone, against a stand-in for the service. */
import { asked, answers, address, gwWith, type Outcome, standIn } from './testing/stand-in';

standIn();
beforeEach(() => (answers['GET /health/live'] = {}));

const mine = (key: string, ...words: string[]): Promise<Outcome> =>
  gwWith({ GATEWAY_URL: address() }, ...words, '--key', key, '--secret', 'whsec_x');

test('a live client is refused before anything is written for it', async () => {
  const { code, err } = await mine('gw_live_x', 'trigger', 'payout.held');
  expect([code, err]).toEqual([1, 'gw: Only a client in test mode can trigger events: this one is live.\n']);
  expect(asked.filter(({ call }) => !call.startsWith('GET '))).toEqual([]);
});

test('a payout that is returned is shown once it is', async () => {
  const payee = { id: 'p' };
  const payout = { id: 't', status: 'paid' };
  answers['POST /api/v1/payees'] = payee;
  answers['POST /api/v1/test/payees/p/onboarding'] = payee;
  answers['POST /api/v1/payouts'] = payout;
  answers['GET /api/v1/payouts/t'] = { ...payout, status: 'returned' };
  const { out } = await mine('gw_test_x', 'trigger', 'payout.returned', '--json');
  expect(JSON.parse(out)).toHaveProperty('status', 'returned');
});

test('an event that nobody took is said not to come again', async () => {
  const events = { data: [{ id: 'e', type: 'payee.updated', createdAt: '2026-01-02T03:04:05.000Z', payload: {} }] };
  answers['GET /api/v1/events'] = { data: [], nextCursor: null };
  const listening = mine('gw_test_x', 'listen', '--forward', 'http://127.0.0.1:2/hooks', '--count', '1');
  while (!asked.some(({ query }) => query.startsWith('createdFrom'))) await new Promise((done) => setTimeout(done, 50));
  answers['GET /api/v1/events'] = { ...events, nextCursor: null };
  expect((await listening).out).toMatch(/payee\.updated .* e ECONNREFUSED not handed on again/);
});

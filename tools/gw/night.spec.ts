/** What an operator meets at night: what was done, what was not, and what to do about that. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { address, answers, asked, CLIENT, gw, gwWith, ID, refusal, ROOT, standIn } from './testing/stand-in';

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
    expect(out.includes('\n\nOf 2: 1 paid, 0 under way, 0 failed, 0 held again, 1 not released.\n')).toBe(
      more.length === 0,
    );
    expect(err).toBe(`gw: 1 of 2 were not released:\n  ${ID} payout_not_releasable: The client is suspended.\n`);
  });
});

test('payouts that would be released together are counted and summed for each currency', async () => {
  const row = { id: ID, clientId: ID, amountCents: 5, currency: 'USD', createdAt: 'then', status: 'held', error: null };
  answers['POST /payouts/release'] = { data: [row, { ...row, currency: 'EUR' }, row], nextCursor: null };
  const { out } = await gw('payouts', 'release-held', '--reason', 'over_cap', '--dry-run');
  expect(out).toMatch(/\n\nTogether 1 of EUR, 5 in minor units; 2 of USD, 10 in minor units\.\n$/);
  expect((await gw('payouts', 'release-held', '--reason', 'over_cap', '--yes')).out).toMatch(
    /\n\nOf 3: 0 paid, 0 under way, 0 failed, 3 held again, 0 not released\.\n$/,
  );
});

test('a payee whose block is lifted has payouts that are held still, and how they go on is said', async () => {
  answers[`PATCH /payees/${ID}`] = { id: ID, clientId: CLIENT.id, blocked: false };
  const { code, out } = await gw('payees', 'unblock', ID);
  expect([code, out]).toEqual([0, expect.stringContaining(`gw payouts list --payee ${ID} --status held`)]);
  expect(out).toContain(`gw payouts release-held --reason route_blocked --client ${ID} --yes`);
});

test('a payout that is stuck shows its last send, what its rail said, and when its turn is', async () => {
  const lastAttempt = { number: 2, leg: null, code: 'gw1', open: true, sentAt: 'then' };
  const lastError = 'lookup: no answer within 20000 ms';
  const job = { name: 'payout.drive', entityId: ID, lane: 'acme', runAt: 'soon', attempts: 3, taken: false, lastError };
  answers[`GET /payouts/${ID}`] = { id: ID, status: 'submitted', lastAttempt, lastAnswer: null, jobs: [job] };
  const { out } = await gw('payouts', 'show', ID);
  expect(out).toMatch(/lastAttempt\n +number +2\n +leg +-\n +code +gw1\n +open +true\n +sentAt +then\nlastAnswer +-\n/);
  expect(out).toMatch(
    /jobs\n +name +runAt +attempts +taken +lastError\n +payout\.drive +soon +3 +false +lookup: no answer/,
  );
});

describe('a list that goes on', () => {
  const row = { id: ID, clientId: ID, payeeId: 'p1', status: 'failed', failureKind: 'transient', amountCents: 5 };

  test('says so below its table, and beside its JSON', async () => {
    answers['GET /payouts'] = { data: [row, row], nextCursor: 'next' };
    const table = await gw('payouts', 'list', '--limit', '2');
    expect(table.out).toMatch(/\n\nThese are 2, and there are more: a higher --limit shows them/);
    const json = await gw('payouts', 'list', '--limit', '2', '--json');
    expect([JSON.parse(json.out), json.err]).toEqual([[row, row], expect.stringContaining('there are more')]);
    answers['GET /payouts'] = { data: [row, row], nextCursor: null };
    expect((await gw('payouts', 'list', '--limit', '2')).out).not.toContain('there are more');
  });

  test('is told of payouts that are released together too', async () => {
    answers['POST /payouts/release'] = { data: [row], nextCursor: 'next' };
    const words = ['payouts', 'release-held', '--reason', 'over_cap', '--dry-run', '--limit', '1'];
    expect((await gw(...words)).out).toContain('there are more');
  });

  test('has of payouts who is paid, whether they can be tried again, and a client by its name where only one has it', async () => {
    const list = [row, { ...row, clientId: 'x' }, { ...row, clientId: 'gone' }];
    answers['GET /payouts'] = { data: list, nextCursor: null };
    const lines = (await gw('payouts', 'list')).out.split('\n');
    expect(lines[0]).toMatch(/^id +client +payeeId +status +failureKind +statusReason/);
    expect(lines[2]).toMatch(/^\S+ +x +p1 +failed +transient/);
    expect(lines[3]).toMatch(/^\S+ +gone +p1/);
    answers['GET /clients'] = { data: [CLIENT] };
    expect((await gw('payouts', 'list')).out).toMatch(/\S+ +Example Studio +p1 +failed/);
  });
});

describe('a time', () => {
  const asks = async (...words: string[]): Promise<Record<string, string>> => {
    answers['GET /audit'] = { data: [], nextCursor: null };
    expect((await gw('audit', ...words)).code).toBe(0);
    return Object.fromEntries(new URLSearchParams(asked.at(-1)?.query));
  };

  test('may be a day, which begins at midnight in UTC', async () => {
    expect(await asks('--from', '2026-11-25', '--to', '2026-11-25T09:00:00+01:00')).toMatchObject({
      from: '2026-11-25T00:00:00Z',
      to: '2026-11-25T09:00:00+01:00',
    });
  });

  test.each(['yesterday', '2026-02-30', '2026-11-25T09:00', '2026-11-25 09:00:00Z'])(
    "that is '%s' is refused by the name of its flag, with an example",
    async (given) => {
      const { code, err } = await gw('payouts', 'list', '--from', given);
      expect([code, asked]).toEqual([2, []]);
      expect(err).toContain(`--from takes a time such as 2026-11-01T00:00:00Z, or 2026-11-01`);
      expect(err).toContain(`not '${given}'`);
    },
  );
});

test.each([
  [['clients', 'set', ID], /Say what is to change: --name, --status, /],
  [['clients', 'set', ID, '--yes'], /Say what is to change: --name/],
  [['routes', 'set'], /Say what is to change: --route, --block, --unblock\./],
])('a change of nothing is refused, with what may be changed: %j', async (words, said) => {
  const { code, out, err } = await gw(...words);
  expect([code, out, asked]).toEqual([2, '', []]);
  expect(err).toMatch(said);
});

test('no payee found leads to other ways to find them', async () => {
  answers['GET /payees'] = { data: [], nextCursor: null };
  const { code, out } = await gw('payees', 'find', '--begins', 'mueller');
  expect([code, out]).toEqual([0, expect.stringMatching(/^none\n\nTry --email .*--begins .*--ref /)]);
});

test('the help says that a payee is found by how any word of their name begins', async () => {
  expect((await gw('help', 'payees', 'find')).out).toContain('ada and love both find Ada Lovelace');
});

describe('a service that was not meant', () => {
  const PATH = 'GET /rails';

  test('is named, and which setting led there, when it does not know the token', async () => {
    answers[PATH] = refusal(401, 'invalid_operator_token', 'No.');
    const { code, err } = await gwWith({ GATEWAY_URL: address(), PORT: '3999' }, 'rails');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`the service at ${address()} (GATEWAY_URL) does not know`),
    ]);
    expect(err).toContain('looked for at GATEWAY_URL, else PUBLIC_URL, else localhost and PORT');
  });

  test.each([
    [{}, 'GATEWAY_URL=http://localhost:<OPERATOR_PORT>'],
    [{ OPERATOR_PORT: '3002' }, 'GATEWAY_URL=http://localhost:3002'],
  ])('is told from the port of operators (%j)', async (env, said) => {
    answers[PATH] = refusal(404, 'not_found', 'There is nothing at this path on this port.');
    expect((await gwWith({ GATEWAY_URL: address(), ...env }, 'rails')).err).toContain(said);
  });

  test('may be the public address, which serves no operators', async () => {
    const { code, err } = await gwWith({ PUBLIC_URL: 'http://127.0.0.1:1' }, 'rails');
    expect([code, err]).toEqual([1, expect.stringContaining('at http://127.0.0.1:1 (PUBLIC_URL). Start it')]);
    expect(err).toContain('GATEWAY_URL=http://localhost:<OPERATOR_PORT>');
  });
});

test('a line of the audit log says what was changed, and why if somebody gave a reason', async () => {
  const line = { createdAt: 'then', actor: 'root', clientId: ID, target: null };
  const data = [
    { ...line, action: 'client.updated', before: { name: 'a', scopes: [] }, after: { name: 'a', scopes: ['x'] } },
    {
      ...line,
      action: 'payee.blocked',
      before: { blocked: false },
      after: { blocked: true, blockReason: 'looked into' },
    },
    { ...line, action: 'drift.resolved', before: null, after: { id: ID, note: 'found at the bank' } },
  ];
  answers['GET /audit'] = { data, nextCursor: null };
  const [, ...lines] = (await gw('audit')).out.trim().split('\n');
  const ends = ['scopes', 'blocked: "looked into"', '"found at the bank"'];
  expect(lines.map((text, at) => text.trimEnd().endsWith(ends[at] as string))).toEqual([true, true, true]);
});

describe('nothing found', () => {
  const none = { data: [], nextCursor: null };
  beforeEach(() => {
    Object.assign(answers, { 'GET /payouts': none, 'GET /drift': none, 'GET /audit': none });
    answers['GET /rails'] = { data: [{ name: 'mock' }, { name: 'acme' }] };
  });

  test.each([
    [['drift', '--rail', 'nope'], "There is no rail 'nope', only mock, acme."],
    [['payouts', 'list', '--rail', 'nope'], "There is no rail 'nope', only mock, acme."],
    [['audit', '--action', 'payouts.released'], "There is no action 'payouts.released'."],
    [['audit', '--action', 'payout.releast'], '\n  payout: released, retried, looked_at, failed'],
  ])('of a word that is none is told: %j', async (words, said) => {
    const { code, out, err } = await gw(...words);
    expect([code, out, err]).toEqual([2, '', expect.stringContaining(said)]);
  });

  test.each([
    ['drift', '--rail', 'acme'],
    ['payouts', 'list', '--rail', 'mock'],
    ['audit', '--action', 'payout'],
    ['audit', '--action', 'payout.released'],
    ['audit', '--action', 'payout.release_refused'],
  ])('of one that is known is none: %s %s %s', async (...words) => {
    expect(await gw(...words)).toEqual({ code: 0, out: 'none\n', err: '' });
  });

  test('every action that is written down is known', () => {
    const folder = join(ROOT, 'libs/operator/src');
    const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('.spec.'))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
    const deeds = source.flatMap((line) => [...line.matchAll(/deedOf\('(\w+)', '\w+', '(\w+)'\)/g)]);
    const others = source
      .filter((line) => line.includes('action'))
      .flatMap((line) => [...line.matchAll(/'(\w+)\.(\w+)'/g)]);
    // They are `wallet.` and the type of an entry.
    const entries = ['deposit', 'adjustment'].map((type) => ['', 'wallet', type]);
    const written = [...deeds, ...others, ...entries].map(([, thing, done]) => `${thing}.${done}`);
    const print = "import { ACTIONS } from './known.mjs'; console.log(JSON.stringify(ACTIONS));";
    const known = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', print], { cwd: __dirname, encoding: 'utf8' }),
    ) as Record<string, string[]>;
    const names = Object.entries(known).flatMap(([thing, all]) => all.map((done) => `${thing}.${done}`));
    expect([...new Set(written)].sort()).toEqual(names.sort());
  });
});

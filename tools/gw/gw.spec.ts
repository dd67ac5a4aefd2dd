/** The command line against a stand-in for the service, which answers what it is told to and keeps what it was asked. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SCOPES, SCOPES } from '#libs/domain';
import { answers, asked, CLIENT, gw, ID, lastBody, ROOT, standIn } from './testing/stand-in';

const ENTRY = ['--currency', 'USD', '--reference', 'r'];

standIn();

describe('resetting a client', () => {
  test('is done by whoever says so twice, and not before', async () => {
    answers[`GET /clients/${ID}`] = CLIENT;
    answers[`POST /clients/${ID}/reset`] = { clientId: ID, cleared: { payees: 3 } };
    const unsure = await gw('clients', 'reset', ID);
    expect([unsure.code, unsure.out]).toEqual([2, '']);
    expect(unsure.err).toMatch(/'Example Studio' would go, for good\. Say --yes if it is to\./);
    expect(asked.map(({ call }) => call)).not.toContain(`POST /clients/${ID}/reset`);
    const { code, out } = await gw('clients', 'reset', ID, '--yes');
    expect([code, asked.at(-1)?.call]).toEqual([0, `POST /clients/${ID}/reset`]);
    expect(out).toMatch(/payees +3/i);
  });
});

describe('a difference', () => {
  const close = (...words: string[]) => gw('drift', 'resolve', ID, '--note', 'found', '--yes', ...words);

  test('is closed by whoever says what its rail had said, if that said anything', async () => {
    answers[`POST /drift/${ID}/resolve`] = { id: ID };
    answers[`GET /drift/${ID}`] = { id: ID, said: 'back' };
    const unread = await close();
    expect([unread.code, asked.map(({ call }) => call)]).toEqual([2, [`GET /drift/${ID}`]]);
    expect(unread.err).toContain('Its rail said last of that money: back. Say --said back if you decide about that.');
    expect((await close('--said', 'back')).code).toBe(0);
    expect(lastBody()).toEqual({ note: 'found', said: 'back' });
    answers[`GET /drift/${ID}`] = { id: ID, said: null };
    expect((await close()).code).toBe(0);
    expect(lastBody()).toEqual({ note: 'found', said: null });
  });
});

describe('what nothing brings back', () => {
  test.each([
    [['payouts', 'fail', ID], `POST /payouts/${ID}/fail`, /given up for good/],
    [['drift', 'resolve', ID, '--note', 'found', '--said', 'out'], `POST /drift/${ID}/resolve`, /believed from now on/],
    [['keys', 'revoke', ID, ID], `DELETE /clients/${ID}/keys/${ID}`, /refused from now on/],
    [['operators', 'revoke', ID], `DELETE /operators/${ID}`, /refused from now on/],
    [['keys', 'rotate', ID], `POST /clients/${ID}/keys`, /ends at once/],
    [['secrets', 'rotate', ID], `POST /clients/${ID}/signing-secret`, /ends at once/],
    [['clients', 'set', ID, '--status', 'closed'], `PATCH /clients/${ID}`, /stays closed/],
    [
      ['wallet', 'adjust', ID, ...ENTRY, '--cents', '-5'],
      `POST /clients/${ID}/wallet/entries`,
      /no entry is ever taken/,
    ],
    [['payouts', 'release-held', '--reason', 'over_cap'], 'POST /payouts/release', /paid at once/],
  ])('is done by whoever says so twice: %j', async (words, wanted, warning) => {
    answers[wanted] = { data: [] };
    const unsure = await gw(...words);
    expect([unsure.code, unsure.out, asked]).toEqual([2, '', []]);
    expect(unsure.err).toMatch(warning);
    expect(unsure.err).toContain('Say --yes if it is to be.');
    expect((await gw(...words, '--yes')).code).toBe(0);
    expect(asked.at(-1)?.call).toBe(wanted);
  });

  test.each([
    [['keys', 'rotate', ID, '--overlap', '60'], `POST /clients/${ID}/keys`],
    [['clients', 'set', ID, '--status', 'suspended'], `PATCH /clients/${ID}`],
    [['wallet', 'adjust', ID, ...ENTRY, '--cents', '5'], `POST /clients/${ID}/wallet/entries`],
    [['payouts', 'release-held', '--reason', 'over_cap', '--dry-run'], 'POST /payouts/release'],
  ])('is asked of nobody who wants less: %j', async (words, wanted) => {
    answers[wanted] = { data: [] };
    expect((await gw(...words)).code).toBe(0);
    expect(asked.map(({ call }) => call)).toEqual([wanted]);
  });

  test('is said in the help of a command', async () => {
    expect((await gw('help', 'payouts', 'fail')).out).toMatch(/--yes +it is to be; nothing is done without it/);
    expect((await gw('help', 'payouts', 'show')).out).not.toContain('--yes');
  });
});

describe('naming a client', () => {
  test('by its name where only one has it, or by its id', async () => {
    answers[`POST /clients/${ID}/keys`] = { keyId: 'k', apiKey: 'gw_live_1' };
    for (const name of ['Example Studio', ID]) {
      const { code, out } = await gw('keys', 'rotate', name, '--overlap', '3600');
      expect([code, lastBody()]).toEqual([0, { overlapSeconds: 3600 }]);
      expect(out).toMatch(/API key +gw_live_1\n\nShown only this once/);
    }
  });

  test('that nobody has is refused with where to look', async () => {
    const err = "gw: No client is called 'Nobody'. See `gw clients list` for the ids.\n";
    expect(await gw('clients', 'show', 'Nobody')).toEqual({ code: 1, out: '', err });
  });

  test('that two have is refused with what tells them apart', async () => {
    const [one, other] = [
      { ...CLIENT, name: 'Twice', createdAt: '2026-01-02T03:04:05.000Z', webhookUrl: null },
      {
        ...{ ...CLIENT, id: 'x', name: 'Twice', testMode: true },
        ...{ createdAt: '2026-02-03T04:05:06.000Z', webhookUrl: 'https://shop.example:8443/hooks' },
      },
    ];
    answers['GET /clients'] = { data: [one, other] };
    const err = `gw: 2 clients are called 'Twice'. Say which by its id:
  ${ID}  made 2026-01-02T03:04:05.000Z, live
  x  made 2026-02-03T04:05:06.000Z, test mode, told at shop.example:8443\n`;
    expect(await gw('clients', 'show', 'Twice')).toEqual({ code: 1, out: '', err });
  });
});

test('a list for people has the names of clients beside their ids, and --json is what the service answers', async () => {
  const rows = [
    { clientId: ID, host: 'a.example' },
    { clientId: null, host: 'b.example' },
    { clientId: 'gone', host: 'c.example' },
  ];
  answers['GET /clients'] = { data: [CLIENT] };
  answers['GET /receivers'] = { data: rows };
  const { out } = await gw('receivers');
  expect(out).toMatch(/^clientId +client +host/);
  expect(out).toMatch(new RegExp(`${ID} +Example Studio +a\\.example`));
  expect(out).toMatch(/\n- +- +b\.example/);
  expect(out).toMatch(/gone +- +c\.example/);
  expect(JSON.parse((await gw('receivers', '--json')).out)).toEqual(rows);
});

describe('what cannot be understood is told in one line', () => {
  test.each([
    [['frob'], "There is no command 'frob'. See `gw help`."],
    [['keys', 'frob'], "There is no command 'keys frob', only rotate, revoke, rewrap. See `gw help`."],
    [
      ['payouts', 'cancel', ID],
      "There is no command 'payouts cancel': `gw payouts fail <payout>` gives up what has not left, or failed. See `gw help`.",
    ],
    [['keys', 'rotate'], 'It takes <client>; put names in quotes. See `gw help keys rotate`.'],
    [['keys', 'rotate', ID, '--over', '1'], 'There is no flag --over here. See `gw help keys rotate`.'],
    [['keys', 'rotate', ID, '--overlap'], '--overlap needs a value. See `gw help keys rotate`.'],
    [['keys', 'rotate', ID, '--overlap', '1h'], "--overlap takes a whole number, not '1h'. See `gw help keys rotate`."],
    [['clients', 'set', ID, '--checks-payees', 'true'], '--checks-payees takes no value. See `gw help clients set`.'],
    [['drift', '--open=1'], '--open takes no value. See `gw help drift`.'],
    [['clients', 'create'], 'It needs --name. See `gw help clients create`.'],
    [['clients', 'set', ID, '--floor', 'mock'], /^gw: --floor takes rail=cents\|default, not 'mock'\./],
    [['mails', 'send', '../clients'], "'../clients' is not the id of a mail. See `gw help mails send`."],
    [['drift', 'resolve', `../payouts/${ID}`, '--note', 'found'], /is not the id of a drift\. See/],
    [['payouts', 'list', '--amount', '650'], /--amount needs --client, --payee or --from:/],
    [['payees', 'block', ID], 'It needs --reason. See `gw help payees block`.'],
    [['drift', 'resolve', ID, '--yes'], 'It needs --note. See `gw help drift resolve`.'],
    [
      ['payees', 'find', '--email', 'mueller'],
      "--email takes a whole address, not 'mueller': `gw payees find --begins mueller` finds how one begins. See `gw help payees find`.",
    ],
    [
      ['payees', 'show', 'ada@example.com'],
      /is not the id of a payee\. Find it by `gw payees find --email ada@example\.com`/,
    ],
    [['payees', 'show', 'cust-7'], /`gw payees find --ref cust-7`, or by `--begins`\. See/],
    [['payouts', 'show', 'first'], "'first' is not the id of a payout. See `gw help payouts show`."],
  ])('%j', async (words, line) => {
    const { code, out, err } = await gw(...words);
    expect([code, out]).toEqual([2, '']);
    if (typeof line === 'string') expect(err).toBe(`gw: ${line}\n`);
    else expect(err).toMatch(line);
    expect(err.trimEnd()).not.toContain('\n');
  });
});

test('the help of every command has words for all of it', () => {
  const print = `
    import { COMMANDS } from './commands.mjs';
    import { helpOf } from './help.mjs';
    for (const [name, command] of Object.entries(COMMANDS)) console.log(helpOf(name, command));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', print], {
    cwd: __dirname,
    encoding: 'utf8',
  });
  expect(out).toContain('gw drift resolve <drift>');
  expect(out).not.toContain('undefined');
});

test('--version says which gateway it belongs to', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(await gw('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

test('help lists the commands, and the flags of one with their units', async () => {
  expect((await gw('help')).out).toMatch(/gw wallet deposit <client> +Records money that came in/);
  const { out } = await gw('help', 'keys', 'rotate');
  expect(out).toMatch(/--overlap <seconds> .*default 0/);
  expect((await gw('keys', 'rotate', '--help')).out).toBe(out);
});

test('help of a word that commands begin with lists those, and all of them stand together', async () => {
  const { code, out } = await gw('help', 'payouts');
  expect(code).toBe(0);
  expect(out).toMatch(/gw payouts list .*[^]*gw payouts release-held/);
  expect(out).not.toContain('gw payees');
  expect((await gw('payouts', '--help')).out).toBe(out);
  const words = [...(await gw('help')).out.matchAll(/^ {2}gw (\S+)/gm)].map(([, word]) => word);
  const begun = words.filter((word, index) => word !== words[index - 1]);
  expect(begun).toEqual([...new Set(words)]);
  expect((await gw('help', 'frob')).code).toBe(2);
});

describe('clients', () => {
  test('made without --test are said to be live, and what is shown once stands out', async () => {
    answers['POST /clients'] = { client: CLIENT, apiKey: 'gw_live_1', signingSecret: 'whsec_1' };
    const { out } = await gw('clients', 'create', '--name', 'Example Studio', '--single-cap', '5000');
    expect(lastBody()).toEqual({ name: 'Example Studio', caps: { singleCents: 5000 } });
    expect(out).toMatch(
      /This is a live client.*\n\n +API key +gw_live_1\n +signing secret +whsec_1\n\nShown only this/,
    );
    const json = JSON.parse((await gw('clients', 'create', '--name', 'x', '--json')).out) as unknown;
    expect(json).toEqual(answers['POST /clients']);
  });

  test.each([
    ['all', SCOPES],
    ['default', DEFAULT_SCOPES],
    ['default,keys:write', [...DEFAULT_SCOPES, 'keys:write']],
    ['payouts:read,all', ['payouts:read', ...SCOPES.filter((scope) => scope !== 'payouts:read')]],
    ['payouts:read', ['payouts:read']],
  ])('have the scopes of the service, by words for several too: %s', async (given, scopes) => {
    answers['POST /clients'] = { client: CLIENT, apiKey: 'gw_live_1', signingSecret: 'whsec_1' };
    expect((await gw('clients', 'create', '--name', 'x', '--scopes', given)).code).toBe(0);
    expect(lastBody()).toEqual({ name: 'x', scopes });
  });

  test('are not given a scope that is none, and are told which there are', async () => {
    const { code, err } = await gw('clients', 'set', ID, '--scopes', 'default,webhook:write');
    expect([code, asked]).toEqual([2, []]);
    expect(err).toContain("There is no scope 'webhook:write'. There are:\n  default: payouts:write, payouts:read, ");
    expect(err).toContain('\n  all: those, webhooks:write, keys:write\n');
    expect((await gw('help', 'clients', 'create')).out).toMatch(
      /--scopes <a,b\|default\|all> .* all but webhooks:write/,
    );
  });

  test('keep the caps, floors and policies that are not mentioned', async () => {
    const withdrawPolicy = { minCents: 1, maxCents: 9, perSource: { portal: { enabled: true } } };
    answers[`GET /clients/${ID}`] = { ...CLIENT, withdrawPolicy };
    answers[`PATCH /clients/${ID}`] = CLIENT;
    const policy = ['minCents=default', 'portal.enabled=false', 'withdraw.minCents=7'];
    const flags = [
      '--daily-cap',
      '2',
      '--floor',
      'mock=default',
      '--floor',
      'acme=3',
      '--no-prepaid',
      '--cool-down',
      '0',
      '--checks-payees',
    ];
    await gw('clients', 'set', ID, ...flags, ...policy.flatMap((pair) => ['--withdraw-policy', pair]));
    expect(lastBody()).toEqual({
      prepaid: false,
      coolDownSeconds: 0,
      checksPayees: true,
      caps: { singleCents: 1, dailyCents: 2 },
      floors: { acme: 3 },
      withdrawPolicy: { maxCents: 9, perSource: { withdraw: { minCents: 7 }, portal: { enabled: false } } },
    });
  });

  test('are shown with a line for each key, and - for what is empty', async () => {
    const keys = [{ id: 'k1', hint: 'gw_live_2gJQ…', createdAt: 'then', expiresAt: null, revokedAt: null }];
    answers[`GET /clients/${ID}`] = { ...CLIENT, floors: {}, keys };
    const { out } = await gw('clients', 'show', ID);
    expect(out).toMatch(/floors +-\n/);
    expect(out).toMatch(/keys\n +id .*\n +k1 +gw_live_2gJQ… +then +- +-\n/);
  });
});

test.each([[[]], [['--json']]])('what others named reaches no terminal as a command (%j)', async (flags) => {
  const evil = '\u001b[2J\u001b]0;owned\u0007\r\nroot\u0085\u009b31m\u202egnp.exe\u2066\u200b\u2028\ufeff';
  answers['GET /clients'] = { data: [{ ...CLIENT, name: `Ada ${evil}`, callBack: null }] };
  answers[`GET /clients/${ID}`] = { ...CLIENT, name: `Ada ${evil}`, [`k${evil}`]: [{ [evil]: evil }] };
  const answered = [await gw('clients', 'list', ...flags), await gw('clients', 'show', ID, ...flags)];
  for (const { code, out } of answered) {
    expect([code, out]).toEqual([0, expect.stringContaining('Ada ')]);
    expect(out).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u);
    expect(out).not.toMatch(/^root/m);
  }
  const { err } = await gw('clients', 'show', evil.replace('\r\n', ''));
  expect(err.replace(/\n$/, '')).not.toMatch(/[\p{C}\u2028\u2029]/u);
});

test('a correction may go below zero', async () => {
  answers[`POST /clients/${ID}/wallet/entries`] = {};
  await gw('wallet', 'adjust', 'Example Studio', '--currency', 'USD', '--cents', '-500', '--reference', 'r', '--yes');
  expect(lastBody()).toEqual({ type: 'adjustment', currency: 'USD', amountCents: -500, reference: 'r' });
});

/** What becomes of a mail by what the mail server says, and whom it comes from. */
import { newId, systemClock } from '#libs/domain';
import { log } from '#libs/telemetry';
import { MailServer } from '../testing/mail-server';
import { drippingServer, type Script, scriptedServer } from '../testing/scripted-server';
import { startWorld, type World } from '../testing/world';
import type { Mail } from './mail';
import { Smtp } from './smtp';

describe('the way to the mail server', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  const config = { production: false, mailFrom: 'pay@acme.example', publicUrl: 'https://pay.example' };
  const smtpTo = (smtpUrl: string | null, more: Partial<typeof config> = {}): Smtp =>
    new Smtp({ ...config, ...more, smtpUrl }, world.db);
  const mail: Mail = {
    id: newId(),
    clientId: newId(),
    kind: 'money_waiting',
    cause: 'row',
    toAddress: 'ada@example.com',
    subject: 'Money',
    bodyText: 'waits',
    bodyHtml: '<p>waits</p>',
    sealedLink: null,
    byLink: false,
    status: 'queued',
    lastError: null,
    allowedAt: null,
    createdAt: systemClock.now(),
    endedAt: null,
  };

  const noLogin = { EHLO: '250-here\r\n250 AUTH PLAIN', AUTH: '535 who are you' };
  test.each<[string, Script, string, string]>([
    ['the greeting', { CONN: '554 go away' }, 'later', 'EPROTOCOL 554'],
    ['the first words', { EHLO: '550 no', HELO: '550 no' }, 'later', 'EPROTOCOL 550'],
    ['the encryption', { EHLO: '250-here\r\n250 STARTTLS', STARTTLS: '554 no' }, 'later', 'ETLS 554'],
    ['the login', noLogin, 'later', 'EAUTH 535'],
    ['a missing login', { MAIL: '530 log in first' }, 'later', 'EENVELOPE 530'],
    ['the sender', { MAIL: '550 not you' }, 'refused', 'EENVELOPE 550'],
    ['the recipient', { RCPT: '550 no such box' }, 'refused', 'EENVELOPE 550'],
    ['the recipient, for now', { RCPT: '450 box is busy' }, 'later', 'EENVELOPE 450'],
    ['the message', { BODY: '554 spam' }, 'refused', 'EMESSAGE 554'],
    ['the message, for now', { BODY: '452 disk full' }, 'later', 'EMESSAGE 452'],
  ])('a no to %s', async (_, script, kind, error) => {
    const server = await scriptedServer(script);
    const login = script === noLogin ? 'me:secret@' : '';
    expect(await smtpTo(`smtp://${login}${server.address}`).send(mail)).toEqual({ kind, error });
    await server.stop();
  });

  test('a server that talks without end is cut off', async () => {
    const server = await drippingServer();
    expect(await smtpTo(`smtp://${server.address}`).send(mail, 200)).toEqual({ kind: 'later', error: 'EABORT' });
    await server.stop();
  });

  test.each([
    ['pay@acme.example', 'pay@acme.example'],
    ['Payouts <pay@acme.example>', 'Payouts <pay@acme.example>'],
    ['Acme, Inc. <pay@acme.example>', '"Acme, Inc." <pay@acme.example>'],
    ['"Acme, Inc." <pay@acme.example>', '"Acme, Inc." <pay@acme.example>'],
    ['Acme: Pay; (EU) <pay@acme.example>', '"Acme: Pay; (EU)" <pay@acme.example>'],
  ])('MAIL_FROM %s', async (mailFrom, header) => {
    const server = new MailServer();
    await server.start();
    expect(await smtpTo(server.url, { mailFrom }).send(mail)).toEqual({ kind: 'sent' });
    const [received] = server.received;
    expect(received?.from).toBe('pay@acme.example');
    expect(received?.source.split('\r\n')).toContain(`From: ${header}`);
    await server.stop();
  });

  test.each([
    [true, null, 1],
    [true, 'smtp://127.0.0.1', 0],
    [false, null, 0],
  ])('production %s and SMTP_URL %s: warned %d times at the start', (production, smtpUrl, times) => {
    const warned = jest.spyOn(log, 'warn').mockImplementation(() => undefined);
    smtpTo(smtpUrl, { production }).onModuleInit();
    expect(warned).toHaveBeenCalledTimes(times);
    warned.mockRestore();
  });
});

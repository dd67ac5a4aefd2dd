/** In production a password, and links into wallets with it, go to a mail server encrypted only, also if somebody between keeps from us that it encrypts. */
import { newId, systemClock } from '#libs/domain';
import { scriptedServer } from '../testing/scripted-server';
import { startWorld, type World } from '../testing/world';
import type { Mail } from './mail';
import { Smtp } from './smtp';

describe('a mail server that offers no encryption', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  const mail = {
    ...{ id: newId(), clientId: newId(), kind: 'portal_link', toAddress: 'ada@example.com', subject: 'Your link' },
    ...{ bodyText: 'https://pay.example/portal/open/x', bodyHtml: '<p>x</p>', createdAt: systemClock.now() },
  } as Mail;
  /** By a name of this machine that is not known to be one. */
  const sent = async (production: boolean, more = ''): Promise<string> => {
    const server = await scriptedServer({ EHLO: '250-here\r\n250 AUTH PLAIN', AUTH: '235 welcome' });
    const address = server.address.replace('127.0.0.1', '[::ffff:127.0.0.1]');
    const config = { production, mailFrom: 'pay@acme.example', publicUrl: 'https://pay.example' };
    const smtp = new Smtp({ ...config, smtpUrl: `smtp://me:secret@${address}${more}` }, world.db);
    const { kind } = await smtp.send(mail);
    await server.stop();
    return kind;
  };

  test('is told neither the password nor the link', async () => {
    expect(await sent(true)).toBe('later');
  });

  test('is told them in development, or if its address says so', async () => {
    expect([await sent(false), await sent(true, '/?requireTLS=false')]).toEqual(['sent', 'sent']);
  });
});

/** Mails against a real PostgreSQL and a real mail server. */
import type { Request, Response } from 'express';
import { newId } from '#libs/domain';
import { Jobs } from '#libs/jobs';
import { log } from '#libs/telemetry';
import { MailServer } from '../testing/mail-server';
import { startWorld, type World } from '../testing/world';
import { MailReads } from './db/mail.reads';
import { ClearMailbox } from './use-cases/clear-mailbox';
import { MailboxController } from './http/mailbox.controller';
import { moneyWaiting } from './letters/money-waiting';
import type { Mail } from './mail';
import { Smtp } from './smtp';
import { MailLinks } from './mail-links';
import { MailOutbox } from './use-cases/mail-outbox';
import { SendMail } from './use-cases/send-mail';

describe('mails', () => {
  const server = new MailServer();
  let world: World;
  beforeAll(async () => {
    await server.start();
    world = await startWorld(server.url);
  });
  afterAll(async () => {
    await world.stop();
    await server.stop();
  });
  beforeEach(() => {
    server.received.length = 0;
    server.asked.length = 0;
    server.answers = [];
  });

  const letter = moneyWaiting({
    clientName: 'Größe & Söhne',
    payeeName: 'Ådå',
    amounts: [{ currency: 'USD', cents: 5 }],
  });

  async function queued(cause = newId(), to = 'ada@example.com', where = world): Promise<Mail> {
    const { db, module, clientId } = where;
    await db.inTransaction(() =>
      module.get(MailOutbox).queue([{ ...letter, clientId, kind: 'money_waiting', cause, to }]),
    );
    const row = await db.row<{ id: string }>('SELECT id FROM mails WHERE cause = $1', [cause]);
    return read(row?.id ?? '', where);
  }
  const read = async (id: string, { module } = world): Promise<Mail> => {
    const mail = await module.get(MailReads).find(id);
    if (!mail) throw new Error('The mail is gone.');
    return mail;
  };
  const send = (mail: Mail, tries = 1, { module } = world) => module.get(SendMail).run(mail.id, tries);

  test('are sent once, with words of any alphabet, and say that a machine wrote them', async () => {
    const mail = await queued();
    expect(await send(mail)).toBeUndefined();
    expect(await send(mail)).toBeUndefined();
    expect(server.received).toHaveLength(1);
    const [{ from, to, source } = { from: '', to: [], source: '' }] = server.received;
    expect([from, to]).toEqual(['pay@acme.example', ['ada@example.com']]);
    expect(source).toMatch(new RegExp(`^Message-ID: <${mail.id}@pay\\.example>\\r$`, 'm'));
    expect(source).toMatch(/^Auto-Submitted: auto-generated\r$/im);
    expect(source).toMatch(/^Subject: =\?UTF-8\?/m);
    expect(source).toMatch(/^From: =\?UTF-8\?.* <pay@acme\.example>\r$/m);
    expect((await read(mail.id)).status).toBe('sent');
  });

  test('of one cause are one, and of a transaction that is undone none', async () => {
    const cause = newId();
    const [first, second] = [await queued(cause), await queued(cause)];
    expect(second.id).toBe(first.id);
    const undone = newId();
    const { db, module, clientId } = world;
    const mail = { ...letter, clientId, kind: 'money_waiting' as const, cause: undone, to: 'ada@example.com' };
    await db
      .inTransaction(async () => {
        await module.get(MailOutbox).queue([mail]);
        throw new Error('undo');
      })
      .catch(() => undefined);
    expect(await db.rows('SELECT FROM mails WHERE cause = $1', [undone])).toEqual([]);
    const jobs = await db.rows(`SELECT FROM jobs WHERE name = 'mail.send' AND entity_id = $1`, [first.id]);
    expect(jobs).toHaveLength(1);
  });

  test('that the server does not take now are tried again, later each time, and then given up', async () => {
    const mail = await queued();
    server.answers = [451, 421];
    expect(await send(mail, 1)).toEqual({ againInSeconds: 10 });
    expect(await read(mail.id)).toMatchObject({ status: 'queued', lastError: expect.stringMatching(/ 451$/) });
    expect(await send(mail, 2)).toEqual({ againInSeconds: 20 });
    expect(await send(mail, 3)).toBeUndefined();
    expect(await read(mail.id)).toMatchObject({ status: 'sent' });
    const other = await queued();
    server.answers = [451];
    expect(await send(other, 16)).toBeUndefined();
    expect(await read(other.id)).toMatchObject({ status: 'failed' });
  });

  test('that the server refuses for good are given up at once, and no address is written down', async () => {
    const mail = await queued();
    const logged = jest.spyOn(log, 'error').mockImplementation(() => undefined);
    server.answers = [550];
    expect(await send(mail)).toBeUndefined();
    const { status, lastError } = await read(mail.id);
    expect([status, lastError]).toEqual(['failed', 'EENVELOPE 550']);
    const line = { event: 'mail.failed', mailId: mail.id, kind: 'money_waiting', tries: 1, error: 'EENVELOPE 550' };
    expect(logged.mock.calls).toEqual([[line, expect.not.stringContaining('@')]]);
    logged.mockRestore();
  });

  test('wait for a server that is gone, and are sent when it is back, under the same Message-ID', async () => {
    const mail = await queued();
    await server.stop();
    expect(await send(mail)).toEqual({ againInSeconds: 10 });
    await server.start();
    expect(await send(mail, 2)).toBeUndefined();
    // A process that died after the server took it sends it once more.
    await world.db.execute(`UPDATE mails SET status = 'queued' WHERE id = $1`, [mail.id]);
    await send(mail, 3);
    const ids = server.received.map(({ source }) => /^Message-ID: (.*)\r$/m.exec(source)?.[1]);
    expect(ids).toEqual([`<${mail.id}@pay.example>`, `<${mail.id}@pay.example>`]);
  });

  test.each([
    ['a second recipient', { to: 'ada@example.com, eve@example.com' }],
    ['a group of recipients', { to: 'all:ada@example.com,eve@example.com;' }],
    ['a header in the address', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
    ['a name in the address', { to: '"eve@example.com" <ada@example.com>' }],
    ['no address', { to: '' }],
    ['a header in the subject', { subject: 'Money\r\nBcc: eve@example.com' }],
    ['a line in the subject', { subject: 'Money\u2028waits' }],
    ['no subject', { subject: ' ' }],
  ])('with %s are neither queued nor sent', async (_, evil) => {
    const { db, module, clientId } = world;
    const [good, cause] = [newId(), newId()];
    const mail = { ...letter, clientId, kind: 'money_waiting' as const, to: 'ada@example.com' };
    const mails = [
      { ...mail, cause: good },
      { ...mail, cause, ...evil },
    ];
    const refused = await module
      .get(MailOutbox)
      .queue(mails)
      .catch((error: Error) => error.message);
    expect(refused).toBe('A mail of kind money_waiting has no plain address, or no subject of one line.');
    expect(await db.rows('SELECT FROM mails WHERE cause IN ($1, $2)', [good, cause])).toEqual([]);

    const { id } = await queued();
    const { to, subject } = { ...mail, ...evil };
    await db.execute('UPDATE mails SET to_address = $2, subject = $3 WHERE id = $1', [id, to, subject]);
    expect(await send(await read(id))).toBeUndefined();
    expect(await read(id)).toMatchObject({ status: 'failed', lastError: 'EUNSAFE' });
    expect(server.asked).toEqual([]);
  });

  test('are not written without their job, even where the caller has no transaction', async () => {
    const { db, module, clientId } = world;
    const cause = newId();
    const adding = jest.spyOn(module.get(Jobs), 'add').mockRejectedValueOnce(new Error('no job'));
    const mail = { ...letter, clientId, kind: 'money_waiting' as const, cause, to: 'ada@example.com' };
    await expect(module.get(MailOutbox).queue([mail])).rejects.toThrow('no job');
    adding.mockRestore();
    expect(await db.rows('SELECT FROM mails WHERE cause = $1', [cause])).toEqual([]);
  });

  test('are never sent inside of a transaction', async () => {
    const mail = await queued();
    const { db, module } = world;
    await expect(db.inTransaction(() => module.get(Smtp).send(mail))).rejects.toThrow('must not run inside');
  });

  test('are kept where there is no server', async () => {
    const lonely = await startWorld(null);
    const mail = await queued(newId(), 'ada@example.com', lonely);
    expect(await send(mail, 1, lonely)).toBeUndefined();
    expect((await read(mail.id, lonely)).status).toBe('kept');
    await lonely.stop();
  });

  describe('that are too many', () => {
    let strict: World;
    beforeEach(async () => {
      strict = await startWorld(server.url, { mailsPerAddress: 8, mailsPerClient: 1_000 });
    });
    afterEach(() => strict.stop());

    const statusesOf = async (where = strict): Promise<string[]> => {
      const mails = await where.db.rows<{ status: string; lastError: string | null }>(
        'SELECT status, last_error FROM mails ORDER BY created_at, id',
      );
      return mails.map(({ status, lastError }) => (lastError ? `${status} ${lastError}` : status));
    };
    /** As if so much time had passed. */
    const age = (interval: string): Promise<number> =>
      strict.db.execute(
        `UPDATE mails SET allowed_at = allowed_at - $1::interval, created_at = created_at - $1::interval`,
        [interval],
      );

    test('for their address stay unsent and say why, however its owner sorts them', async () => {
      for (const to of ['ada@example.com', 'ada+1@example.com', 'ADA+2@example.com'].map((one) => one.toLowerCase()))
        await send(await queued(newId(), to, strict), 1, strict);
      await send(await queued(newId(), 'eve@example.com', strict), 1, strict);
      expect(server.received.map(({ to }) => to[0])).toEqual([
        'ada@example.com',
        'ada+1@example.com',
        'eve@example.com',
      ]);
      expect(await statusesOf()).toEqual(['sent', 'sent', 'limited ADDRESS_IN_AN_HOUR', 'sent']);
    });

    test('for a day, and for one client, are limited as well', async () => {
      const one = async (): Promise<void> =>
        void (await send(await queued(newId(), 'ada@example.com', strict), 1, strict));
      for (let count = 0; count < 4; count += 1) {
        await one();
        await age('61 minutes');
      }
      await one();
      expect((await statusesOf()).at(-1)).toBe('limited ADDRESS_OF_ONE_CLIENT');
      const { db } = strict;
      const other = newId();
      await db.execute(
        `INSERT INTO clients SELECT (jsonb_populate_record(clients, jsonb_build_object('id', $1::text))).* FROM clients`,
        [other],
      );
      await db.execute('UPDATE mails SET client_id = $1', [other]);
      for (let count = 0; count < 4; count += 1) {
        await one();
        await age('61 minutes');
      }
      await one();
      expect((await statusesOf()).at(-1)).toBe('limited ADDRESS_IN_A_DAY');
      await age('1 day');
      await one();
      expect((await statusesOf()).at(-1)).toBe('sent');
    });

    test('are counted exactly, though all of them are sent at once', async () => {
      const mails = await Promise.all(Array.from({ length: 12 }, () => queued(newId(), 'ada@example.com', strict)));
      await Promise.all(mails.map((mail) => send(mail, 1, strict)));
      expect(server.received).toHaveLength(2);
      expect((await statusesOf()).filter((status) => status.startsWith('limited'))).toHaveLength(10);
    });

    test('do not count what is tried again twice', async () => {
      const mail = await queued(newId(), 'ada@example.com', strict);
      server.answers = [451, 451, 451];
      for (const tries of [1, 2, 3]) await send(mail, tries, strict);
      await send(mail, 4, strict);
      expect((await read(mail.id, strict)).status).toBe('sent');
    });

    test('from their client are written down with it, and have no job', async () => {
      const few = await startWorld(server.url, { mailsPerClient: 3 });
      const mails = Array.from({ length: 5 }, (_, index) => ({
        ...letter,
        clientId: few.clientId,
        kind: 'money_waiting' as const,
        cause: `cause ${index}`,
        to: `payee-${index}@example.com`,
      }));
      const outbox = few.module.get(MailOutbox);
      await Promise.all([outbox.queue(mails.slice(0, 2)), outbox.queue(mails)]);
      await outbox.queue(mails);
      const statuses = await statusesOf(few);
      expect(statuses.filter((status) => status === 'queued')).toHaveLength(3);
      expect(statuses.filter((status) => status === 'limited CLIENT_IN_A_DAY')).toHaveLength(2);
      const jobs = `SELECT FROM jobs JOIN mails ON mails.id = entity_id WHERE status = 'queued'`;
      expect([(await few.db.rows(jobs)).length, (await few.db.rows('SELECT FROM jobs')).length]).toEqual([3, 3]);
      await few.stop();
    });
  });

  test('are shown nowhere in production', async () => {
    const parts = [world.module.get(MailReads), world.module.get(ClearMailbox), world.module.get(MailLinks)] as const;
    const mailbox = new MailboxController(...parts, { production: true });
    const response = { json: jest.fn(), type: jest.fn() };
    const [request, answer] = [{} as Request, response as unknown as Response];
    for (const asked of [mailbox.read('', request, answer), mailbox.show('x', answer), mailbox.clear(request, answer)])
      await expect(asked).rejects.toMatchObject({ code: 'not_found' });
    expect(response.json).not.toHaveBeenCalled();
  });
});

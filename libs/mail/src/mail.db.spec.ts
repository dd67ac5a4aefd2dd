/** Mails against a real PostgreSQL and a real mail server. */
import { Global, Injectable, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { Test, type TestingModule } from '@nestjs/testing';
import { newId } from '#libs/domain';
import { CONFIG } from '#libs/config';
import { Db, DbModule } from '#libs/db';
import { scratchDatabase } from '#libs/db/testing';
import { JOB_NAMES, JobsModule, OnJob } from '#libs/jobs';
import { setLogLevel } from '#libs/telemetry';
import { MailServer } from '../testing/mail-server';
import { MailReads } from './db/mail.reads';
import { moneyWaiting } from './letters/money-waiting';
import type { Mail } from './mail';
import { MailModule } from './mail.module';
import { Smtp } from './smtp';
import { MailOutbox } from './use-cases/mail-outbox';
import { SendMail } from './use-cases/send-mail';

@Injectable()
class OtherFeatures {}
for (const name of JOB_NAMES.filter((known) => known !== 'mail.send')) {
  const method: PropertyDescriptor = { value: () => Promise.resolve(), configurable: true };
  OnJob(name)(OtherFeatures.prototype, name, method);
  Object.defineProperty(OtherFeatures.prototype, name, method);
}

interface World {
  module: TestingModule;
  db: Db;
  clientId: string;
  stop(): Promise<void>;
}

const CLIENT = `
  INSERT INTO clients (id, name, status, test_mode, status_version, scopes, event_types, prepaid, default_currency, caps, floors,
    withdraw_policy, require_signature_v2)
  VALUES ($1, 'Acme', 'active', true, 1, '{}', '{}', false, 'USD', '{}', '{}', '{}', false)`;

async function startWorld(smtpUrl: string | null): Promise<World> {
  setLogLevel('silent');
  const config = {
    production: false,
    smtpUrl,
    mailFrom: 'Acme Päyouts <pay@acme.example>',
    publicUrl: 'https://pay.example',
  };
  @Global()
  @Module({ providers: [{ provide: CONFIG, useValue: config }, OtherFeatures], exports: [CONFIG] })
  class Surroundings {}
  const database = await scratchDatabase();
  const module = await Test.createTestingModule({
    imports: [
      Surroundings,
      DbModule.forRoot(database.url, 4),
      ScheduleModule.forRoot(),
      await JobsModule.forRoot({ redisUrl: null, works: false }),
      MailModule,
    ],
  }).compile();
  await module.init();
  const db = module.get(Db);
  const clientId = newId();
  await db.execute(CLIENT, [clientId]);
  const stop = async (): Promise<void> => {
    await module.close();
    await database.drop();
  };
  return { module, db, clientId, stop };
}

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
    server.answers = [550];
    expect(await send(mail)).toBeUndefined();
    const { status, lastError } = await read(mail.id);
    expect([status, lastError]).toEqual(['failed', 'EENVELOPE 550']);
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

  test('go to one recipient, whatever stands in the address', async () => {
    const mail = await queued(newId(), 'ada@example.com, eve@example.com');
    await send(mail);
    expect(server.received.flatMap(({ to }) => to)).not.toContain('eve@example.com');
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
});

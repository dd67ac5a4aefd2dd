/** Mails that warn, and those that somebody waits for: whoever fills a mailbox, or the day of a client, keeps none of them away. */
import { newId } from '#libs/domain';
import { startWorld, type World } from '../testing/world';
import { MailReads } from './db/mail.reads';
import { moneyWaiting } from './letters/money-waiting';
import type { MailKind } from './mail';
import { MailOutbox } from './use-cases/mail-outbox';
import { QueueAwaited } from './use-cases/queue-awaited';
import { SendMail } from './use-cases/send-mail';

describe.each(['details_changed', 'portal_link'] as const)('a mail that is counted apart: %s', (apart) => {
  const letter = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts: [{ currency: 'USD', cents: 5 }] });

  /** What became of it. */
  async function mailed({ db, module, clientId }: World, kind: MailKind, to = 'ada@example.com'): Promise<string> {
    const cause = newId();
    await db.inTransaction(() => module.get(MailOutbox).queue([{ ...letter, clientId, kind, cause, to }]));
    const row = await db.row<{ id: string }>('SELECT id FROM mails WHERE cause = $1', [cause]);
    await module.get(SendMail).run(row?.id ?? '', 1);
    const mail = await module.get(MailReads).find(row?.id ?? '');
    return mail?.status === 'limited' ? `limited ${mail.lastError}` : (mail?.status ?? 'gone');
  }

  test('is sent whatever else its address had, and is counted with its like', async () => {
    const world = await startWorld(null, { mailsPerAddress: 8 });
    const others = [];
    for (let count = 0; count < 3; count += 1) others.push(await mailed(world, 'money_waiting'));
    expect(others).toEqual(['kept', 'kept', 'limited ADDRESS_IN_AN_HOUR']);
    const warnings = [];
    for (let count = 0; count < 3; count += 1) warnings.push(await mailed(world, apart));
    expect(warnings).toEqual(['kept', 'kept', 'limited ADDRESS_IN_AN_HOUR']);
    await world.stop();
  });

  test('takes no room of others', async () => {
    const world = await startWorld(null, { mailsPerAddress: 8 });
    const mails = [await mailed(world, apart), await mailed(world, apart)];
    for (let count = 0; count < 3; count += 1) mails.push(await mailed(world, 'money_waiting'));
    expect(mails).toEqual(['kept', 'kept', 'kept', 'kept', 'limited ADDRESS_IN_AN_HOUR']);
    await world.stop();
  });

  test('is sent whatever else its client caused that day: a link is counted with its like, a warning not at all', async () => {
    const world = await startWorld(null, { mailsPerAddress: 100, mailsPerClient: 2 });
    const inADay = async (kind: MailKind): Promise<string[]> => {
      const mails = [];
      for (let count = 0; count < 3; count += 1) mails.push(await mailed(world, kind, `${kind}${count}@example.com`));
      return mails;
    };
    const limited = ['kept', 'kept', 'limited CLIENT_IN_A_DAY'];
    expect(await inADay('money_waiting')).toEqual(limited);
    expect(await inADay(apart)).toEqual(apart === 'details_changed' ? ['kept', 'kept', 'kept'] : limited);
    await world.stop();
  });
});

test('a mail that is asked for by a link, by whoever has it, takes no room of those that are asked for otherwise', async () => {
  const letter = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts: [] });
  const limitsOf = async (limits: object, addressOf: (count: number) => string) => {
    const world = await startWorld(null, limits);
    const met = [];
    for (const [count, byLink] of [true, true, true, false, false, false].entries()) {
      const mail = { ...letter, clientId: world.clientId, kind: 'portal_link' as const, cause: newId() };
      met.push((await world.module.get(QueueAwaited).run({ ...mail, byLink, to: addressOf(count) }))?.why ?? null);
    }
    await world.stop();
    return met;
  };
  const inAnHour = [null, null, 'ADDRESS_IN_AN_HOUR'];
  expect(await limitsOf({ mailsPerAddress: 8 }, () => 'ada@example.com')).toEqual([...inAnHour, ...inAnHour]);
  const inADay = [null, null, 'CLIENT_IN_A_DAY'];
  const apart = await limitsOf({ mailsPerAddress: 100, mailsPerClient: 2 }, (count) => `ada${count}@example.com`);
  expect(apart).toEqual([...inADay, ...inADay]);
});

test('a mail that somebody waits for says at once that it is one too many, and is sent once if it is not', async () => {
  const world = await startWorld(null, { mailsPerAddress: 8 });
  const { db, module, clientId } = world;
  const letter = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts: [] });
  const asked = () =>
    module.get(QueueAwaited).run({ ...letter, clientId, kind: 'portal_link', cause: newId(), to: 'ada@example.com' });
  expect([await asked(), await asked(), await asked()]).toEqual([
    ...[null, null],
    { why: 'ADDRESS_IN_AN_HOUR', limit: 2, resetSeconds: 3_600 },
  ]);
  const rows = await db.rows<{ id: string; status: string }>('SELECT id, status FROM mails ORDER BY created_at, id');
  expect(rows.map(({ status }) => status)).toEqual(['queued', 'queued', 'limited']);
  for (const { id } of rows) await module.get(SendMail).run(id, 1);
  const ended = await db.rows<{ status: string }>('SELECT status FROM mails ORDER BY created_at, id');
  expect(ended.map(({ status }) => status)).toEqual(['kept', 'kept', 'limited']);
  await world.stop();
});

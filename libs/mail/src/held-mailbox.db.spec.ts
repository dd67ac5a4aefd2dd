/**
 * Another client's process stands still while it lets a mail go to a mailbox: a link that waits for the same mailbox keeps none of the mails of its
 * client's pushes waiting. A process stands still while it writes mails of a push: no link waits for that (8, 10).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { happening, holding } from '#libs/db/testing';
import { newId } from '#libs/domain';
import { startWorld, type World } from '../testing/world';
import type { MailKind } from './mail';
import { MailOutbox } from './use-cases/mail-outbox';
import { QueueAwaited } from './use-cases/queue-awaited';

const WAITS = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

describe('a mailbox that somebody holds', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  const mail = (kind: MailKind, to: string) => ({
    ...{ clientId: world.clientId, kind, cause: newId(), to },
    ...{ subject: 'S', text: 'T', html: '<p>T</p>' },
  });

  test('keeps a link waiting, and nothing that its client pushes', async () => {
    const held = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    const letGo = await holding(world.db, held, ['mails to ada@example.com']);
    const link = world.module.get(QueueAwaited).run(mail('portal_link', 'ada@example.com'));
    while (!(await world.db.row(WAITS))) await nextTurn();
    expect(await world.module.get(MailOutbox).queue([mail('money_waiting', 'grace@example.com')])).toHaveLength(1);
    await letGo();
    expect(await link).toBeNull();
  });

  test('is not kept by a link whose client is writing the mails of a push', async () => {
    const [wrote, mayEnd] = [happening(), happening()];
    const pushed = world.db.inTransaction(async () => {
      await world.module.get(MailOutbox).queue([mail('money_waiting', 'grace@example.com')]);
      wrote.happens();
      await mayEnd.promise;
    });
    await wrote.promise;
    expect(await world.module.get(QueueAwaited).run(mail('portal_link', 'ada@example.com'))).toBeNull();
    mayEnd.happens();
    await pushed;
  });
});

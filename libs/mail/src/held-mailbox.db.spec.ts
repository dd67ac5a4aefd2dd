/**
 * Another client's process stands still while it lets a mail go to a mailbox. A link that waits for the same mailbox keeps none of the mails of its client
 * to others waiting (8, 10).
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { holding } from '#libs/db/testing';
import { newId } from '#libs/domain';
import { startWorld, type World } from '../testing/world';
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

  const mail = (to: string) => ({
    ...({ clientId: world.clientId, kind: 'portal_link', cause: newId(), to } as const),
    ...{ subject: 'S', text: 'T', html: '<p>T</p>' },
  });

  test('keeps a link waiting, and nothing else of its client', async () => {
    const held = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    const letGo = await holding(world.db, held, ['mails to ada@example.com']);
    const link = world.module.get(QueueAwaited).run(mail('ada@example.com'));
    while (!(await world.db.row(WAITS))) await nextTurn();
    expect(await world.module.get(MailOutbox).queue([mail('grace@example.com')])).toHaveLength(1);
    await letGo();
    expect(await link).toBeNull();
  });
});

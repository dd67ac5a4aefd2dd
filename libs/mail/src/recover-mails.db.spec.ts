/** A mail that waits to be sent has a job; one that lost it, for whatever reason, is found, and gets one again. */
import { newId } from '#libs/domain';
import { rowsRemoved } from '#libs/db/testing';
import { startWorld, type World } from '../testing/world';
import { RecoverMailsJob } from './jobs/recover-mails.job';
import { moneyWaiting } from './letters/money-waiting';
import { lineOf } from './mail';
import { MailOutbox } from './use-cases/mail-outbox';
import { SendMail } from './use-cases/send-mail';

const SENT = 5_000;

describe('mails whose job is gone', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  const queued = async (): Promise<string> => {
    const letter = moneyWaiting({ clientName: 'Acme', payeeName: 'Ada', amounts: [{ currency: 'USD', cents: 5 }] });
    const mail = { clientId: world.clientId, kind: 'money_waiting', cause: newId(), to: 'ada@example.com' } as const;
    const [written] = await world.module.get(MailOutbox).queue([{ ...letter, ...mail }]);
    return written?.id ?? '';
  };
  const jobs = () =>
    world.db.rows<{ entityId: string; lane: string; owner: string }>(
      `SELECT entity_id, lane, owner FROM jobs WHERE name = 'mail.send' ORDER BY entity_id`,
    );

  test('get one again, and what was sent or has one does not', async () => {
    const [lost, kept, over] = [await queued(), await queued(), await queued()];
    await world.module.get(SendMail).run(over, 1);
    await world.db.execute(`DELETE FROM jobs WHERE name = 'mail.send' AND entity_id = ANY($1)`, [[lost, over]]);
    const recover = world.module.get(RecoverMailsJob);
    expect(await recover.recover()).toBe(1);
    const line = lineOf({ clientId: world.clientId, kind: 'money_waiting' });
    expect(await jobs()).toEqual([lost, kept].map((entityId) => ({ entityId, ...line })));
    expect(await recover.recover()).toBe(0);
  });

  test('are looked for without reading what was sent', async () => {
    await world.db.execute(
      `INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, status)
       SELECT gen_random_uuid(), $1::uuid, 'money_waiting', 'c' || n, 'ada@example.com', 's', 't', 'h', 'sent'
       FROM generate_series(1, $2::int) AS n`,
      [world.clientId, SENT],
    );
    await world.db.execute('ANALYZE mails');
    const asked = jest.spyOn(world.db, 'rows');
    await world.module.get(RecoverMailsJob).recover();
    const [sql, values] = asked.mock.calls[0] as [string, unknown[]];
    asked.mockRestore();
    expect(await rowsRemoved(world.db, sql, values)).toBeLessThan(SENT / 10);
  });
});

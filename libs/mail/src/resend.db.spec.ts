import { newId } from '#libs/domain';
import { startWorld, type World } from '../testing/world';
import { ClearMailbox } from './use-cases/clear-mailbox';
import { LINK_PLACE, type MailKind } from './mail';
import { MailOutbox } from './use-cases/mail-outbox';
import { ResendMail } from './use-cases/resend-mail';
import { SendMail } from './use-cases/send-mail';

describe('a mail that an operator has sent', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  const written = async (kind: MailKind = 'claim_link'): Promise<string> => {
    const cause = newId();
    const letter = { subject: 'S', text: `Here: ${LINK_PLACE}`, html: `<a href="${LINK_PLACE}">Here</a>` };
    const link = 'https://pay.example/claim/x';
    const mail = { ...letter, clientId: world.clientId, kind, cause, to: 'ada@example.com', link };
    await world.module.get(MailOutbox).queue([mail]);
    const row = await world.db.row<{ id: string }>('SELECT id FROM mails WHERE cause = $1', [cause]);
    return row?.id ?? '';
  };
  const send = (id: string) => world.db.inTransaction(() => world.module.get(ResendMail).run(id));
  const kept = async (kind?: MailKind): Promise<string> => {
    const id = await written(kind);
    await world.module.get(SendMail).run(id, 1);
    return id;
  };

  test('waits to be sent once more, and its link is still there', async () => {
    const id = await kept();
    expect(await send(id)).toMatchObject({ id, status: 'queued', lastError: null });
    await expect(send(id)).rejects.toMatchObject({ code: 'mail_not_sendable' });
    await world.module.get(SendMail).run(id, 1);
    const after = await world.db.row('SELECT status, sealed_link IS NOT NULL AS linked FROM mails WHERE id = $1', [id]);
    expect(after).toEqual({ status: 'kept', linked: true });
  });

  test('is none that waits already, or was sent', async () => {
    const id = await written();
    await expect(send(id)).rejects.toMatchObject({ code: 'mail_not_sendable' });
    await world.db.execute("UPDATE mails SET status = 'sent' WHERE id = $1", [id]);
    await expect(send(id)).rejects.toMatchObject({ code: 'mail_not_sendable' });
  });

  test('is none whose link is over, or was not kept', async () => {
    const [old, without] = [await kept('portal_link'), await kept()];
    await world.db.execute("UPDATE mails SET created_at = now() - interval '16 minutes' WHERE id = $1", [old]);
    await world.db.execute('UPDATE mails SET sealed_link = NULL WHERE id = $1', [without]);
    for (const id of [old, without]) await expect(send(id)).rejects.toMatchObject({ code: 'mail_not_sendable' });
  });

  test('is sent although there were too many', async () => {
    const id = await written();
    await world.db.execute("UPDATE mails SET status = 'limited', last_error = 'ADDRESS_IN_A_DAY' WHERE id = $1", [id]);
    await send(id);
    const after = await world.db.row('SELECT status, allowed_at IS NOT NULL AS counted FROM mails WHERE id = $1', [id]);
    expect(after).toEqual({ status: 'queued', counted: true });
  });

  test('is there as long as it waits, also if the mailbox is cleared', async () => {
    const [waits, ended] = [await written(), await kept()];
    await world.module.get(ClearMailbox).run();
    const rows = await world.db.rows<{ id: string }>('SELECT id FROM mails WHERE id = ANY($1)', [[waits, ended]]);
    expect(rows).toEqual([{ id: waits }]);
  });
});

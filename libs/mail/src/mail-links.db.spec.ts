/** A link in a mail: whoever reads the table, or a backup of it, opens nothing with it. */
import { newId } from '#libs/domain';
import { startWorld, type World } from '../testing/world';
import { MailReads } from './db/mail.reads';
import { MailStore } from './db/mail.store';
import { letterToPayee } from './letters/letter-to-payee';
import { MailLinks } from './mail-links';
import { MailOutbox } from './use-cases/mail-outbox';
import { ResealLinks } from './use-cases/reseal-links';
import { SendMail } from './use-cases/send-mail';

const LINK = 'https://pay.example/portal/open/secret-token';
const WORDS = {
  subject: 'A link',
  greeting: 'Hello,',
  intro: 'Here is a link.',
  button: 'Open',
  note: 'It works once.',
};

describe('a link in a mail', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  const queued = async (): Promise<{ id: string; asJson: string }> => {
    const letter = letterToPayee({ ...WORDS, language: 'en', direction: 'ltr', brand: {} });
    const mail = { clientId: world.clientId, kind: 'portal_link', cause: newId(), to: 'ada@example.com' } as const;
    await world.module.get(MailOutbox).queue([{ ...letter, ...mail, link: LINK }]);
    const row = await world.db.row<{ id: string; asJson: string }>(
      'SELECT id, row_to_json(mails)::text AS as_json FROM mails WHERE cause = $1',
      [mail.cause],
    );
    return row ?? { id: '', asJson: '' };
  };

  test('stands in no column, and is filled in for whoever is to read it', async () => {
    const { id, asJson } = await queued();
    expect(asJson).not.toContain('secret-token');
    const mail = await world.module.get(MailReads).find(id);
    const read = mail && world.module.get(MailLinks).filledIn(mail);
    expect(read?.bodyText).toContain(`Open: ${LINK}\n`);
    expect(read?.bodyHtml).toContain(`href="${LINK}"`);
  });

  test('opens in no other mail', async () => {
    const [one, other] = [await queued(), await queued()];
    const reads = world.module.get(MailReads);
    const [mine, theirs] = [await reads.find(one.id), await reads.find(other.id)];
    if (!mine || !theirs) throw new Error('A mail is gone.');
    expect(() => world.module.get(MailLinks).filledIn({ ...mine, sealedLink: theirs.sealedLink })).toThrow();
  });

  test('is kept only where the mail itself is kept to be read', async () => {
    const { id } = await queued();
    await world.module.get(SendMail).run(id, 1);
    expect(await world.module.get(MailReads).find(id)).toMatchObject({
      status: 'kept',
      sealedLink: expect.any(String),
    });
    await world.db.execute("UPDATE mails SET status = 'queued' WHERE id = $1", [id]);
    await world.module.get(MailStore).end(id, 'sent');
    expect(await world.module.get(MailReads).find(id)).toMatchObject({ status: 'sent', sealedLink: null });
  });

  test('is sealed anew with the first master key, and the one before can be taken away', async () => {
    const [before, after] = ['00'.repeat(32), '01'.repeat(32)];
    const { id } = await queued();
    const [reads, store] = [world.module.get(MailReads), world.module.get(MailStore)];
    const reseal = new ResealLinks(reads, store, new MailLinks({ masterKeys: [after, before] }));
    const all = await world.db.rows('SELECT FROM mails WHERE sealed_link IS NOT NULL');
    expect(await reseal.run()).toEqual({ checked: all.length, rewrapped: all.length });
    expect(await reseal.run()).toEqual({ checked: all.length, rewrapped: 0 });
    const mail = await reads.find(id);
    const read = mail && new MailLinks({ masterKeys: [after] }).filledIn(mail);
    expect(read?.bodyText).toContain(`Open: ${LINK}\n`);
  });
});

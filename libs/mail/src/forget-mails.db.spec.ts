/** Mails that are old enough go, by the time that their id says; one that waits to be sent stays. */
import { v7 } from 'uuid';
import { systemClock } from '#libs/domain';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import { MailStore } from './db/mail.store';
import { ForgetMails } from './use-cases/forget-mails';

const DAY_MS = 86_400_000;

describe('mails that are old', () => {
  let scratch: ScratchDb;

  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute(
      `INSERT INTO clients (id, name, test_mode, status_version, scopes, event_types, prepaid, default_currency)
       VALUES (gen_random_uuid(), 'of mails', true, 1, '{}', '{}', false, 'USD')`,
    );
  });
  afterAll(() => scratch.drop());

  async function made(daysAgo: number, status: string): Promise<string> {
    const id = v7({ msecs: systemClock.now().getTime() - daysAgo * DAY_MS });
    await scratch.db.execute(
      `INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, status)
       SELECT $1::uuid, id, 'claim_link', $1::text, 'ada@example.com', 's', 't', 'h', $2 FROM clients`,
      [id, status],
    );
    return id;
  }
  const left = async (): Promise<string[]> =>
    (await scratch.db.rows<{ id: string }>('SELECT id FROM mails ORDER BY id')).map(({ id }) => id);
  const forget = (mailsKeptDays: number): Promise<void> =>
    new ForgetMails(new MailStore(scratch.db), { mailsKeptDays }).run(new AbortController().signal);

  it('go once they are over, and not before, and never where a deployment keeps them', async () => {
    const old = [await made(366, 'sent'), await made(366, 'failed')];
    const stay = [await made(366, 'queued'), await made(364, 'kept')];
    await forget(0);
    expect(await left()).toEqual([...old, ...stay].sort());
    await forget(365);
    expect(await left()).toEqual([...stay].sort());
  });
});

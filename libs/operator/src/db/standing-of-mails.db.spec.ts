/**
 * The numbers that somebody is woken by are one statement with 30 seconds, at each scrape of each process, "and nothing that grows with what
 * is over". Mails are kept for a year, and those that were one too many as well: whoever pushes writes as many as they like.
 */
import { rowsRemoved } from '#libs/db/testing';
import { MailOutbox } from '#libs/mail';
import { type MoneyWorld, startMoneyWorld } from '#libs/payouts/testing';
import { StandingReads } from './standing.reads';

const SENT = 20_000;

describe('how it stands', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());

  const waiting = async (): Promise<number | undefined> =>
    (await new StandingReads(world.db).all()).find(({ what }) => what === 'mails_waiting')?.value;

  test('is told without reading mails that were sent, or never will be', async () => {
    const client = await world.client();
    await world.db.execute(
      `INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, status)
       SELECT gen_random_uuid(), $1::uuid, 'money_waiting', 'c' || n, 'ada@example.com', 's', 't', 'h',
         CASE WHEN n % 2 = 0 THEN 'sent' ELSE 'limited' END
       FROM generate_series(1, $2::int) AS n`,
      [client.id, SENT],
    );
    await world.db.execute('ANALYZE mails');
    const asked = jest.spyOn(world.db, 'rows');
    const before = (await waiting()) ?? 0;
    const [sql] = asked.mock.calls.at(-1) as [string];
    asked.mockRestore();
    expect(await rowsRemoved(world.db, sql, [])).toBeLessThan(SENT / 10);
    const mail = { clientId: client.id, kind: 'money_waiting', cause: 'one', to: 'ada@example.com' } as const;
    await world.get(MailOutbox).queue([{ ...mail, subject: 's', text: 't', html: 'h' }]);
    expect(await waiting()).toBe(before + 1);
    await world.db.execute(`DELETE FROM jobs WHERE name = 'mail.send'`);
    expect(await waiting()).toBe(before + 1);
  });
});

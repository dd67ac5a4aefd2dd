/** How many mails a client caused is counted with each push: what counts is read, and nothing else. */
import { rowsRemoved } from '#libs/db/testing';
import { startWorld, type World } from '../../testing/world';
import { MailStore } from './mail.store';

const WRITTEN = `
  INSERT INTO mails (id, client_id, kind, cause, to_address, subject, body_text, body_html, status)
  SELECT gen_random_uuid(), $1::uuid, $2, $3 || n, 'ada@example.com', 's', 't', 'h', $3
  FROM generate_series(1, $4::int) AS n`;

describe('the mails of a client', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(null);
  });
  afterAll(() => world.stop());

  test('are counted without those that were not sent, and those of other kinds, however many they are', async () => {
    const { db, clientId } = world;
    await db.execute(WRITTEN, [clientId, 'money_waiting', 'kept', 30]);
    await db.execute(WRITTEN, [clientId, 'money_waiting', 'limited', 5_000]);
    await db.execute(WRITTEN, [clientId, 'details_changed', 'kept', 5_000]);
    await db.execute('ANALYZE mails');
    const asked = jest.spyOn(db, 'row');
    expect(
      await db.inTransaction(() => new MailStore(db).countOf(clientId, { kinds: ['money_waiting'], byLink: false })),
    ).toBe(30);
    const [sql, values] = asked.mock.calls.find(([text]) => text.includes('FROM mails')) as [string, unknown[]];
    asked.mockRestore();
    expect(await rowsRemoved(db, sql, values)).toBe(0);
  });
});

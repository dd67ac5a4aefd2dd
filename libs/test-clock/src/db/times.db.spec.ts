/** The list of times against the tables as they are: what was not decided on fails here. */
import { type ScratchDb, scratchDb } from '#libs/db/testing';
import { CLIENT_TIMES, RAIL_RECORDS, REAL_TIMES, type TableTimes } from './times';

const TIMES_THERE = `
  SELECT table_name || '.' || column_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_name)
  WHERE columns.table_schema = 'public' AND tables.table_schema = 'public' AND table_type = 'BASE TABLE'
    AND table_name NOT IN ('migrations') AND data_type = ANY($1)`;
const KINDS = ['timestamp with time zone', 'timestamp without time zone', 'date', 'time', 'interval', 'json', 'jsonb'];

const named = (table: string, { moves, stays = {} }: TableTimes): string[] =>
  [...Object.keys(moves), ...Object.keys(stays)].map((column) => `${table}.${column}`);

describe('the list of times', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  const decided = [
    ...Object.entries(CLIENT_TIMES).flatMap(([table, times]) => named(table, times)),
    ...named('rail_records', RAIL_RECORDS),
    ...Object.entries(REAL_TIMES).flatMap(([table, columns]) => Object.keys(columns).map((name) => `${table}.${name}`)),
  ];

  test('decides about each column that holds a time, or may hold one in JSON, once', async () => {
    const there = await scratch.db.rows<{ name: string }>(TIMES_THERE, [KINDS]);
    expect([...decided].sort()).toEqual(there.map(({ name }) => name).sort());
  });

  test('fails for a new one', async () => {
    await scratch.db.execute('ALTER TABLE payees ADD COLUMN seen_at timestamptz');
    const there = await scratch.db.rows<{ name: string }>(TIMES_THERE, [KINDS]);
    expect(there.map(({ name }) => name).filter((name) => !decided.includes(name))).toEqual(['payees.seen_at']);
  });

  test('says why of all that stays', () => {
    const reasons = [...Object.values(CLIENT_TIMES).map(({ stays = {} }) => stays), ...Object.values(REAL_TIMES)];
    for (const reason of reasons.flatMap((stays) => Object.values(stays))) expect(reason).toMatch(/\w+ \w+/);
  });
});

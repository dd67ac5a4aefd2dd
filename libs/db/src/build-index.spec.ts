/** A migration that goes beside older processes keeps nobody of them from writing, however large a table is by now. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type MigrationClass, numberOf } from './code-version';
import { MIGRATIONS } from './migrations';

/** These are written all the time, and nothing of them is ever taken away but events. */
const WRITTEN = ['payouts', 'events', 'jobs', 'disbursements', 'payees', 'mails'];
/** Those that were there before this rule stay as they are: whoever has so many ran them long ago. */
const BEFORE_THE_RULE = 1763600000073;

const madeBy = async (Migration: MigrationClass): Promise<MigrationInterface & { statements: string }> => {
  const statements: string[] = [];
  const query = (sql: string): Promise<unknown[]> => {
    statements.push(sql);
    return Promise.resolve([]);
  };
  const migration = new Migration();
  await migration.up({ query } as unknown as QueryRunner);
  return Object.assign(migration, { statements: statements.join(';\n') });
};

const PLAIN = new RegExp(
  String.raw`CREATE\s+(UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)[^;]*?\bON\s+(ONLY\s+)?(${WRITTEN.join('|')})\b`,
  'i',
);

/** Of whatever table: those who write it hold it already, and PostgreSQL ends the one that waits for them while they wait for it. */
const DROPPED = /DROP\s+INDEX\s+(?!CONCURRENTLY)/i;

const beside = (MIGRATIONS as readonly MigrationClass[]).filter(({ besideOlderCode }) => besideOlderCode);
const [old, bound] = [false, true].map((isBound) =>
  beside.filter((migration) => numberOf(migration) > BEFORE_THE_RULE === isBound),
);

describe('a migration that goes beside older code', () => {
  test('would be caught, had it made an index as those before the rule did', async () => {
    const plain = await Promise.all(
      (old ?? []).filter(({ name }) => /^(ByProviderRef|HeldGroups)/.test(name)).map(madeBy),
    );
    expect(plain.map(({ statements }) => PLAIN.test(statements))).toEqual([true, true]);
    expect(bound?.length).toBeGreaterThan(0);
  });

  test.each(bound ?? [])('$name: keeps no write waiting until an index is built', async (Migration) => {
    const { statements, transaction } = await madeBy(Migration);
    expect(statements).not.toMatch(PLAIN);
    expect(statements).not.toMatch(DROPPED);
    expect(/CONCURRENTLY/i.test(statements)).toBe(transaction === false);
  });

  test('is the only kind that is ever outside a transaction: others raise the floor in theirs', () => {
    const outside = (MIGRATIONS as readonly MigrationClass[]).filter(
      (Migration) => (new Migration() as MigrationInterface).transaction === false,
    );
    expect(outside.length).toBeGreaterThan(0);
    for (const migration of outside) expect(beside).toContain(migration);
  });
});

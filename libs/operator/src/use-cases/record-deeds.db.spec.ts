/** A deed and its line in the audit log: neither is there without the other, and what was refused reads as refused. */
import { Refusal } from '#libs/domain';
import type { Db } from '#libs/db';
import { openDb, scratchDatabase, type ScratchDatabase } from '#libs/db/testing';
import { AuditStore } from '../db/audit.store';
import { deedOf, RecordDeeds } from './record-deeds';

const DEED = deedOf('country', 'block', 'blocked');
const LINE = { actor: 'ada', target: 'XX' };

describe('a deed', () => {
  let scratch: ScratchDatabase;
  let db: Db;
  let close: () => Promise<void>;
  let audit: AuditStore;
  let deeds: RecordDeeds;
  beforeAll(async () => {
    scratch = await scratchDatabase();
    ({ db, close } = await openDb(scratch.url));
    audit = new AuditStore(db);
    deeds = new RecordDeeds(db, audit);
  });
  afterAll(async () => {
    await close();
    await scratch.drop();
  });
  afterEach(() => jest.restoreAllMocks());

  const block = async (country: string): Promise<string> => {
    await db.execute(`INSERT INTO routes (country, rails, blocked) VALUES ($1, '{}', true)`, [country]);
    return country;
  };
  const isBlocked = async (country: string): Promise<boolean> =>
    (await db.rows('SELECT FROM routes WHERE country = $1', [country])).length === 1;
  const lines = async (target: string): Promise<string[]> =>
    (
      await db.rows<{ action: string }>('SELECT action FROM audit_log WHERE target = $1 ORDER BY created_at, id', [
        target,
      ])
    ).map(({ action }) => action);
  const line = (target: string) => ({ ...LINE, target });

  test('that is one transaction is undone if it cannot be written down', async () => {
    jest.spyOn(audit, 'add').mockRejectedValueOnce(new Error('the connection is lost'));
    await expect(deeds.atOnce(DEED, line('AA'), () => block('AA'), String)).rejects.toThrow('the connection is lost');
    expect(await isBlocked('AA')).toBe(false);
    expect(await lines('AA')).toEqual([]);
  });

  test('that cannot be done leaves no line that says so', async () => {
    const fails = async (): Promise<string> => {
      await block('BB');
      throw new Error('a bug');
    };
    await expect(deeds.atOnce(DEED, line('BB'), fails, String)).rejects.toThrow('a bug');
    expect(await isBlocked('BB')).toBe(false);
    expect(await lines('BB')).toEqual([]);
  });

  test('that is more than one has its intent before it, and its outcome after', async () => {
    const before: string[] = [];
    await deeds.inSteps(
      DEED,
      line('CC'),
      async () => {
        before.push(...(await lines('CC')));
        return block('CC');
      },
      String,
    );
    expect(before).toEqual(['country.block_asked']);
    expect(await lines('CC')).toEqual(['country.block_asked', 'country.blocked']);
  });

  test('that asks a rail first has its intent before the question', async () => {
    const before: string[] = [];
    const ask = async (): Promise<void> => void before.push(...(await lines('FF')));
    await deeds.atOnce(DEED, line('FF'), () => block('FF'), String, ask);
    expect(before).toEqual(['country.block_asked']);
    expect(await lines('FF')).toEqual(['country.block_asked', 'country.blocked']);
  });

  test('whose rail has no answer is there as what was wanted', async () => {
    const ask = (): Promise<void> => Promise.reject(new Error('cut short'));
    await expect(deeds.atOnce(DEED, line('GG'), () => block('GG'), String, ask)).rejects.toThrow('cut short');
    expect(await isBlocked('GG')).toBe(false);
    expect(await lines('GG')).toEqual(['country.block_asked']);
  });

  test.each(['atOnce', 'inSteps'] as const)('that is refused %s reads as refused', async (how) => {
    const target = how === 'atOnce' ? 'DD' : 'EE';
    const refuses = async (): Promise<string> => {
      await block(target);
      throw new Refusal('invalid_request', 'no');
    };
    await expect(deeds[how](DEED, line(target), refuses, String)).rejects.toThrow(Refusal);
    expect((await lines(target)).at(-1)).toBe('country.block_refused');
    expect(await isBlocked(target)).toBe(how === 'inSteps');
  });
});

/** What of a day counts against a payee's cap is exact on the newest day, whoever comes late or with a clock that went back. */
import { randomUUID } from 'node:crypto';
import { scratchDb, type ScratchDb } from '#libs/db/testing';
import type { BalanceMove } from '../balance';
import { BalanceBook, newestDayOf, usedOfDay } from './balance.book';

const [MONDAY, TUESDAY] = ['2026-03-09', '2026-03-10'];

describe('the day of a balance', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    scratch = await scratchDb();
    await scratch.db.execute('ALTER TABLE balances DROP CONSTRAINT balances_payee_id_fkey');
  });
  afterAll(() => scratch.drop());

  const payee = () => {
    const payeeId = randomUUID();
    const move = (...moves: Pick<BalanceMove, 'cents' | 'fromDay' | 'toDay'>[]) =>
      new BalanceBook(scratch.db).move(
        moves.map((each) => ({ payeeId, currency: 'USD', from: 'onTheWayCents', to: 'onTheWayCents', ...each })),
      );
    const usedOn = async (day: string): Promise<number | null> => {
      const used = usedOfDay({ isPayee: 'payee_id = $1', day: '$2::date' });
      return (await scratch.db.row<{ cents: number }>(used, [payeeId, day]))?.cents ?? null;
    };
    const newest = async (): Promise<string | undefined> =>
      (await scratch.db.row<{ max: string }>(`SELECT (${newestDayOf('payee_id = $1')})::text AS max`, [payeeId]))?.max;
    return { move, usedOn, newest };
  };

  test('grows by what is authorized, and shrinks by what is held or fails after all', async () => {
    const { move, usedOn } = payee();
    expect(await usedOn(MONDAY)).toBeNull();
    await move({ cents: 700, toDay: MONDAY }, { cents: 300, toDay: MONDAY });
    await move({ cents: 300, fromDay: MONDAY });
    await move({ cents: 50, toDay: MONDAY });
    expect(await usedOn(MONDAY)).toBe(750);
  });

  test('begins at nothing on the next one, and what was authorized before takes nothing from it', async () => {
    const { move, usedOn } = payee();
    await move({ cents: 700, toDay: MONDAY });
    expect(await usedOn(TUESDAY)).toBeNull();
    await move({ cents: 200, toDay: TUESDAY });
    await move({ cents: 700, fromDay: MONDAY });
    expect(await usedOn(TUESDAY)).toBe(200);
    // Tried again on another day it counts there.
    await move({ cents: 90, fromDay: MONDAY, toDay: TUESDAY }, { cents: 200, fromDay: TUESDAY });
    expect(await usedOn(TUESDAY)).toBe(90);
  });

  test('is the later one if the transaction of an earlier one comes last, or the clock of the database went back', async () => {
    const { move, usedOn, newest } = payee();
    await move({ cents: 200, toDay: TUESDAY });
    await move({ cents: 700, toDay: MONDAY });
    expect([await usedOn(MONDAY), await usedOn(TUESDAY)]).toEqual([200, 200]);
    expect(await newest()).toBe(TUESDAY);
  });

  test('adds up if many move it at once', async () => {
    const { move, usedOn } = payee();
    await Promise.all(Array.from({ length: 20 }, () => move({ cents: 5, toDay: MONDAY })));
    expect(await usedOn(MONDAY)).toBe(100);
  });

  test('is no less than nothing, where a day before was not counted', async () => {
    const { move, usedOn } = payee();
    await move({ cents: 700, fromDay: MONDAY });
    expect(await usedOn(MONDAY)).toBe(0);
  });
});

/** Of test clients with many rows the one that asked first comes first, however often another one asks (ADR 69). */
import { type Db, DatabaseTrouble } from '#libs/db';
import { happening, type ScratchDb, scratchDb } from '#libs/db/testing';
import { clientWith } from '../testing/rows-of-a-client';
import { keepPlace, leaveLine, MANY_ROWS, NotItsTurn, standInLine, takeTurn } from './db/long-turn';
import { LongTurns } from './use-cases/long-turns';

describe('a client with many rows that was told to wait', () => {
  let scratch: ScratchDb;
  let db: Db;
  let [loud, quiet]: string[] = [];
  beforeAll(async () => {
    scratch = await scratchDb();
    ({ db } = scratch);
    [loud, quiet] = await Promise.all([clientWith(db, MANY_ROWS), clientWith(db, MANY_ROWS)]);
  });
  afterAll(() => scratch.drop());
  afterEach(() => db.execute('DELETE FROM long_turns'));

  const seen = (clientId: string, when: string) =>
    db.execute('UPDATE long_turns SET looked_at = now() + $2::interval WHERE client_id = $1', [clientId, when]);
  /** And looks for long enough, however slow this machine is. */
  const stand = async (clientId = quiet as string) => {
    await standInLine(db, clientId);
    await seen(clientId, '50 seconds');
  };
  const take = (clientId = loud as string) => db.inTransaction(() => takeTurn(db, clientId));
  const inLine = async () =>
    (await db.rows<{ clientId: string }>('SELECT client_id FROM long_turns ORDER BY asked_at')).map(
      ({ clientId }) => clientId,
    );

  test('has the next turn, and one that asks for turn after turn has the one after it', async () => {
    await stand();
    await stand(loud);
    await expect(take()).rejects.toBeInstanceOf(NotItsTurn);
    await take(quiet);
    await leaveLine(db, quiet as string);
    await take();
    await stand();
    expect(await inLine()).toEqual([loud, quiet]);
  });

  test('keeps its place as long as it looks, and keeps nobody from a turn once it does not', async () => {
    await stand();
    await stand(loud);
    await seen(quiet as string, '-1 minute');
    await take();
    await stand();
    expect(await inLine()).toEqual([loud, quiet]);
    await stand(loud);
    expect(await inLine()).toEqual([loud, quiet]);
  });

  test('keeps its place while others have all places of its process, from which it would look', async () => {
    const now = jest.spyOn(performance, 'now');
    const [began, mayEnd] = [[happening(), happening()], happening()];
    const turns = new LongTurns(db);
    let others: Promise<void>[] | undefined;
    now.mockReturnValueOnce(performance.now() + 60_000); // its patience is longer, however slow this machine is
    const waiting = turns.run(quiet as string, async () => {
      if (others) return 'its turn';
      others = began.map((one, nth) =>
        turns.run(`00000000-0000-4000-8000-00000000000${nth}`, () => (one.happens(), mayEnd.promise)),
      );
      throw new NotItsTurn();
    });
    await Promise.all(began.map(({ promise }) => promise));
    await seen(quiet as string, '50 seconds');
    const wasSeen = () => db.row('SELECT looked_at::text FROM long_turns WHERE client_id = $1', [quiet]);
    const before = JSON.stringify(await wasSeen());
    while (JSON.stringify(await wasSeen()) === before);
    expect(await inLine()).toEqual([quiet]);
    mayEnd.happens();
    expect(await waiting).toBe('its turn');
    await Promise.all(others ?? []);
    now.mockRestore();
  });

  test('has that place kept, and looks for its turn, as often as with one request, however many of them wait', async () => {
    const execute = jest.spyOn(db, 'execute');
    const kept = () => execute.mock.calls.filter(([sql]) => sql.startsWith('UPDATE long_turns SET looked_at')).length;
    const began = performance.now();
    const turns = new LongTurns(db);
    let isTurn = false;
    let looks = 0;
    const waiting = Array.from({ length: 20 }, () =>
      turns.run(quiet as string, async () => {
        if (!isTurn) looks += 1;
        if (!isTurn) throw new NotItsTurn();
      }),
    );
    while (kept() < 2) await inLine();
    isTurn = true;
    expect(looks).toBeLessThanOrEqual((performance.now() - began) / 125 + 1);
    await Promise.all(waiting);
    const seconds = (performance.now() - began) / 1000;
    expect(kept()).toBeLessThanOrEqual(seconds + 1);
    execute.mockRestore();
  });

  test('is given no place by what keeps one, if it left or was not seen for long', async () => {
    await keepPlace(db, quiet as string);
    await take();
    await stand();
    await seen(quiet as string, '-1 minute');
    await keepPlace(db, quiet as string);
    await take();
  });

  test('keeps nobody from a turn if the clock of the database was set back since', async () => {
    await stand();
    await seen(quiet as string, '1 hour');
    await take();
  });

  test('stands in the line from then on until it has its turn, be it in vain because a row is held', async () => {
    const outcomes = [new NotItsTurn(), new DatabaseTrouble('timeout', new Error('held')), new NotItsTurn()];
    const stood: string[][] = [];
    await new LongTurns(db).run(quiet as string, async () => {
      stood.push(await inLine());
      const outcome = outcomes.shift();
      if (outcome) throw outcome;
    });
    expect(stood).toEqual([[], [quiet], [], [quiet]]);
    expect(await inLine()).toEqual([]);
  });
});

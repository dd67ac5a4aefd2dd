import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, SingleRunner, VersionGate } from '#libs/db';
import { log, setLogLevel } from '#libs/telemetry';
import { happening } from './happening';
import { openDb, scratchDb, type ScratchDb } from './scratch-database';

const LEASE_MS = 1_500;

const runnerOn = (db: Db): SingleRunner => new SingleRunner(db, new VersionGate(), LEASE_MS);

const aborted = async (signal: AbortSignal): Promise<void> => {
  if (!signal.aborted) await once(signal, 'abort');
};

describe('SingleRunner', () => {
  let scratch: ScratchDb;
  beforeAll(async () => {
    setLogLevel('silent');
    scratch = await scratchDb();
  });
  afterAll(() => scratch.drop());

  /** Moves the end of a lease, as time would. */
  const lapse = (name: string): Promise<number> =>
    scratch.db.execute(`UPDATE runners SET leased_until = now() - interval '1 second' WHERE name = $1`, [name]);

  test('of two runners of the same work one runs', async () => {
    const [first, second] = [runnerOn(scratch.db), runnerOn(scratch.db)];
    const [started, finished] = [happening(), happening()];
    const running = first.run('work', async () => {
      started.happens();
      await finished.promise;
      return 'done';
    });
    await started.promise;
    expect(await second.run('work', async () => 'also')).toBeNull();
    expect(await second.run('other work', async () => 'other')).toBe('other');
    finished.happens();
    expect(await running).toBe('done');
    expect(await second.run('work', async () => 'again')).toBe('again');
  });

  test('work that fails gives the place back, and its own error counts', async () => {
    const runner = runnerOn(scratch.db);
    await expect(runner.run('fails', () => Promise.reject(new Error('it broke')))).rejects.toThrow('it broke');
    expect(await runner.run('fails', async () => 'next')).toBe('next');
  });

  describe('whoever finds a turn taken comes again when that can be over', () => {
    test('and has it if its holder died, also after one more renewal, not if the work was done', async () => {
      const [other, runner, tookOver] = [runnerOn(scratch.db), runnerOn(scratch.db), happening()];
      const done: string[] = [];
      await other.run('finished', async () => {
        expect(await runner.run('finished', async () => done.push('finished'))).toBeNull();
      });
      await scratch.db.execute(
        `INSERT INTO runners (name, token, leased_until) VALUES ('left', gen_random_uuid(), now() + interval '2 seconds')`,
      );
      const work = async (): Promise<void> => {
        done.push('left');
        tookOver.happens();
      };
      expect(await runner.run('left', work)).toBeNull();
      await tookOver.promise;
      expect(done).toEqual(['left']);
    });

    test('and has it if its holder stopped in the middle', async () => {
      const [stops, runner, started, tookOver] = [runnerOn(scratch.db), runnerOn(scratch.db), happening(), happening()];
      const cutShort = stops.run('cut short', async (signal) => {
        started.happens();
        await aborted(signal);
      });
      await started.promise;
      expect(await runner.run('cut short', async () => tookOver.happens())).toBeNull();
      await stops.onModuleDestroy();
      await tookOver.promise;
      await cutShort;
    });
  });

  test('a process that stops before its work began hands its turn over as one that stops in the middle', async () => {
    const execute: Db['execute'] = async (sql, values) => {
      const count = await scratch.db.execute(sql, values);
      if (sql.includes('INSERT INTO runners')) await stops.onModuleDestroy();
      return count;
    };
    const stops = runnerOn(Object.create(scratch.db, { execute: { value: execute } }) as Db);
    const turn = (): Promise<unknown> => scratch.db.row(`SELECT token FROM runners WHERE name = 'not begun'`);
    expect(await stops.run('not begun', async () => 'done')).toBeNull();
    expect(await turn()).toEqual({ token: '00000000-0000-0000-0000-000000000000' });
  });

  test('a process that stops hands its turns over at once, tells the work, and takes no more', async () => {
    const [first, second] = [runnerOn(scratch.db), runnerOn(scratch.db)];
    const [started, finished] = [happening(), happening()];
    const running = first.run('handed over', async (signal) => {
      started.happens();
      await aborted(signal);
      await finished.promise;
      return 'cut short';
    });
    await started.promise;
    await first.onModuleDestroy();
    await second.run('handed over', async () => {
      finished.happens();
      expect(await running).toBe('cut short'); // and leaves the turn that is another's by now
      expect(await runnerOn(scratch.db).run('handed over', async () => 'beside')).toBeNull();
    });
    expect(await first.run('other work', async () => 'done')).toBeNull();
    expect.assertions(3);
  });

  test('a process that is too old for the database runs nothing', async () => {
    const gate = new VersionGate();
    gate.set(true);
    expect(await new SingleRunner(scratch.db, gate).run('work', async () => 'done')).toBeNull();
  });

  test('a process that a newer version takes the database over from tells its work, and rests once that is over', async () => {
    const gate = new VersionGate();
    const [started, rests] = [happening(), happening()];
    gate.onResting((isSo) => (isSo ? rests.happens() : undefined));
    const running = new SingleRunner(scratch.db, gate).run('taken from', async (signal) => {
      started.happens();
      await aborted(signal);
      return 'cut short';
    });
    await started.promise;
    gate.set(true);
    expect(await running).toBe('cut short');
    await rests.promise;
    expect(await runnerOn(scratch.db).run('taken from', async () => 'next')).toBe('next');
  });

  test('work longer than PostgreSQL lets a transaction idle is done, and no transaction is open meanwhile', async () => {
    const { db, close } = await openDb(scratch.url, { idle_in_transaction_session_timeout: 100 });
    const runner = runnerOn(db);
    const idle = await runner.run('slow', async () => {
      await scratch.db.execute('SELECT pg_sleep(0.4)');
      return scratch.db.rows(
        `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
    });
    expect(idle).toEqual([]);
    await close();
  });

  test('the lease is renewed for as long as the work takes', async () => {
    const [first, second] = [runnerOn(scratch.db), runnerOn(scratch.db)];
    const ends = async (): Promise<string> =>
      (await scratch.db.row<{ ends: string }>(`SELECT leased_until::text AS ends FROM runners WHERE name = 'long'`))
        ?.ends ?? '';
    const movesOn = async (): Promise<void> => {
      for (const before = await ends(); before === (await ends());) await pause(10);
    };
    const other = await first.run('long', async () => {
      await movesOn();
      await movesOn();
      return second.run('long', async () => 'both');
    });
    expect(other).toBeNull();
  });

  test('whoever lost the lease is told, and does not give back what is another one’s by now', async () => {
    const [slept, other] = [runnerOn(scratch.db), runnerOn(scratch.db)];
    const [mayEnd, hasTaken] = [happening(), happening()];
    const sleeper = slept.run('taken over', async (signal) => {
      await lapse('taken over'); // as if this process had been stopped
      const taken = other.run('taken over', async () => {
        hasTaken.happens();
        await mayEnd.promise;
        return 'other';
      });
      await hasTaken.promise;
      await aborted(signal);
      return taken;
    });
    await hasTaken.promise;
    const third = runnerOn(scratch.db);
    expect(await third.run('taken over', async () => 'third')).toBeNull();
    mayEnd.happens();
    expect(await sleeper).toBe('other');
  });

  describe('a renewal that comes after its lease was given back', () => {
    /** Another process's database, on which renewals come late. */
    function late() {
      const [asked, mayCome, cameLate] = [happening(), happening(), happening()];
      const execute: Db['execute'] = async (sql, values) => {
        if (!sql.includes('UPDATE runners SET leased_until = now() +')) return scratch.db.execute(sql, values);
        asked.happens();
        await mayCome.promise;
        return scratch.db.execute(sql, values).finally(() => cameLate.happens());
      };
      const db = Object.create(scratch.db, { execute: { value: execute } }) as Db;
      const comes = async (): Promise<void> => {
        mayCome.happens();
        await cameLate.promise;
        await new Promise(setImmediate);
      };
      return { runner: runnerOn(db), asked: asked.promise, comes };
    }

    test('by a process that stops does not take it again', async () => {
      const { runner, asked, comes } = late();
      const running = runner.run('late', async (signal) => {
        await asked;
        await aborted(signal);
      });
      await asked;
      await runner.onModuleDestroy();
      await comes();
      expect(await runnerOn(scratch.db).run('late', async () => 'next')).toBe('next');
      await running;
    });

    test('because the work was done does not take it again, and nothing is called lost', async () => {
      const warned = jest.spyOn(log, 'warn');
      const { runner, asked, comes } = late();
      let told: AbortSignal | undefined;
      await runner.run('late and done', async (signal) => {
        told = signal;
        await asked;
      });
      await comes();
      expect(await runnerOn(scratch.db).run('late and done', async () => 'next')).toBe('next');
      expect(told?.aborted).toBe(false);
      expect(warned).not.toHaveBeenCalled();
      warned.mockRestore();
    });
  });

  test('whoever cannot renew stops counting on the lease when it ends', async () => {
    const runner = runnerOn(scratch.db);
    const [mayEnd, isHeld] = [happening(), happening()];
    const told = runner.run('cut off', async (signal) => {
      const holding = scratch.db.inTransaction(async () => {
        await scratch.db.execute(`SELECT FROM runners WHERE name = 'cut off' FOR UPDATE`);
        isHeld.happens();
        await mayEnd.promise;
      });
      await isHeld.promise;
      await aborted(signal);
      mayEnd.happens();
      await holding;
      return 'told';
    });
    expect(await told).toBe('told');
  });
});

/** Test clients of which somebody holds a row keep no other's clock from moving: a place that others wait for is given back (ADR 45, 69). */
import type { ClientRegistry } from '#libs/clients';
import { holding, openDb, type ScratchDb, scratchDb, waitedFor } from '#libs/db/testing';
import type { Jobs } from '#libs/jobs';
import { Rails } from '#libs/rail-registry';
import type { WatchReturns } from '#libs/reconciliation';
import { type SeededClient, seedClient } from '../testing/rows-of-a-client';
import { ClockStore } from './db/clock.store';
import { LongTurns } from './use-cases/long-turns';
import { MoveTimes } from './use-cases/move-times';

describe('while two clients wait for one of their rows', () => {
  let here: ScratchDb;
  let there: Awaited<ReturnType<typeof openDb>>;
  beforeAll(async () => {
    here = await scratchDb();
    there = await openDb(here.url);
  });
  afterAll(async () => {
    await there.close();
    await here.drop();
  });

  test('the clock of another one moves, and theirs do once the row is free', async () => {
    const clients = await Promise.all([seedClient(here.db), seedClient(here.db), seedClient(here.db)]);
    const [one, two, three] = clients;
    const turns = new LongTurns(here.db);
    const times = new MoveTimes(
      here.db,
      new ClockStore(here.db, new Rails([], 'here')),
      { changed: () => undefined } as unknown as ClientRegistry,
      { cameDue: () => undefined } as unknown as Jobs,
      { passed: async () => 0 } as unknown as WatchReturns,
    );
    const ended: string[] = [];
    const move = ({ clientId }: SeededClient, name: string): Promise<unknown> =>
      turns.run(clientId, () => times.run(clientId, 1)).then(() => ended.push(name));
    const held = [one.clientId, two.clientId];
    const letGo = await holding(there.db, 'SELECT FROM payees WHERE client_id = ANY($1) FOR UPDATE', [held]);
    const waiting = Promise.all([move(one, 'held'), move(two, 'held')]);
    await waitedFor(there.db, 'payees', 'client_id = ANY($1)', [held]);
    await move(three, 'free');
    await letGo();
    await waiting;
    expect(ended).toEqual(['free', 'held', 'held']);
  });
});

import type { ClientRegistry } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import type { Rails } from '#libs/rail-registry';
import { setLogLevel } from '#libs/telemetry';
import type { MethodStore } from '../db/method.store';
import type { Method } from '../payee';
import type { ReadAccount } from './read-account';
import { RefreshPayability } from './refresh-payability';

const HELD = new DatabaseTrouble('timeout', new Error('somebody holds it'));
const LOST = new DatabaseTrouble('away', new Error('the connection was lost'));
/** So few calls a second that one account is asked about at a time. */
const ONE_AT_A_TIME = { callsPerSecond: 1 };

describe('accounts that are due', () => {
  beforeAll(() => setLogLevel('silent'));

  function refreshing(due: string[], troubled: string, trouble: DatabaseTrouble) {
    const asked: string[] = [];
    const dueAgain: unknown[] = [];
    const methods = {
      due: async () => due.map((id) => ({ id, payeeId: `payee of ${id}`, clientId: id.slice(0, 1) })),
      checked: async () => undefined,
      askWithin: async (id: string, seconds: number) => void dueAgain.push([id, seconds]),
    };
    const read = async (_: unknown, { id, clientId }: Method): Promise<string> => {
      asked.push(id);
      if (clientId === troubled) throw trouble;
      return 'changed';
    };
    const refresh = new RefreshPayability(
      methods as unknown as MethodStore,
      { traits: () => ONE_AT_A_TIME } as unknown as Rails,
      { byId: async () => ({ client: {} }) } as unknown as ClientRegistry,
      { run: read } as unknown as ReadAccount,
    );
    return { refresh, asked, dueAgain };
  }

  test('of a client of whom somebody holds one are left to the next run, and those of others are asked about', async () => {
    const { refresh, asked, dueAgain } = refreshing(['a1', 'b1', 'a2', 'b2'], 'a', HELD);
    expect(await refresh.ofRail('rail', false)).toEqual({ asked: 3, changed: 2 });
    expect(asked).toEqual(['a1', 'b1', 'b2']);
    expect(dueAgain).toEqual([['a1', 0]]);
    await refresh.ofRail('rail', false);
    expect(asked).toEqual(['a1', 'b1', 'b2', 'a1', 'b1', 'b2']);
  });

  test('are asked about soon again when the connection was lost before the answer was written', async () => {
    const { refresh, dueAgain } = refreshing(['a1'], 'a', LOST);
    await expect(refresh.ofRail('rail', true)).rejects.toBe(LOST);
    expect(dueAgain).toEqual([['a1', 300]]);
  });
});

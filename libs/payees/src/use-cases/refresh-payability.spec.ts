import type { ClientRegistry } from '#libs/clients';
import { DatabaseTrouble } from '#libs/db';
import type { Rails } from '#libs/rail-registry';
import { setLogLevel } from '#libs/telemetry';
import type { MethodStore } from '../db/method.store';
import type { Method } from '../payee';
import type { ReadAccount } from './read-account';
import { RefreshPayability } from './refresh-payability';

const HELD = new DatabaseTrouble('timeout', new Error('somebody holds it'));
/** So few calls a second that one account is asked about at a time. */
const ONE_AT_A_TIME = { callsPerSecond: 1 };

describe('accounts that are due', () => {
  beforeAll(() => setLogLevel('silent'));

  function refreshing(due: string[], troubled: string) {
    const asked: string[] = [];
    const methods = {
      due: async () => due.map((id) => ({ id, payeeId: `payee of ${id}`, clientId: id.slice(0, 1) })),
      checked: async () => undefined,
    };
    const read = async (_: unknown, { id, clientId }: Method): Promise<string> => {
      asked.push(id);
      if (clientId === troubled) throw HELD;
      return 'changed';
    };
    const refresh = new RefreshPayability(
      methods as unknown as MethodStore,
      { traits: () => ONE_AT_A_TIME } as unknown as Rails,
      { byId: async () => ({ client: {} }) } as unknown as ClientRegistry,
      { run: read } as unknown as ReadAccount,
    );
    return { refresh, asked };
  }

  test('of a client of whom somebody holds one are left to the next run, and those of others are asked about', async () => {
    const { refresh, asked } = refreshing(['a1', 'b1', 'a2', 'b2'], 'a');
    expect(await refresh.ofRail('rail', false)).toEqual({ asked: 3, changed: 2 });
    expect(asked).toEqual(['a1', 'b1', 'b2']);
    await refresh.ofRail('rail', false);
    expect(asked).toEqual(['a1', 'b1', 'b2', 'a1', 'b1', 'b2']);
  });
});

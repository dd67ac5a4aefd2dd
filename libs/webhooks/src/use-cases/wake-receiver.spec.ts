import type { ClientRegistry } from '#libs/clients';
import { DatabaseTrouble, type Db } from '#libs/db';
import type { Jobs } from '#libs/jobs';
import { setLogLevel } from '#libs/telemetry';
import type { DeliveryReads } from '../db/delivery.reads';
import type { ReceiverStore } from '../db/receiver.store';
import { WakeReceiver } from './wake-receiver';

const HELD = new DatabaseTrouble('timeout', new Error('somebody holds it'));

describe('clients that were given another URL', () => {
  beforeAll(() => setLogLevel('silent'));

  test('go on each in a transaction of its own, also if somebody holds what is one’s', async () => {
    const happened: string[] = [];
    const db = {
      inTransaction: async <T>(work: () => Promise<T>): Promise<T> => {
        happened.push('begin');
        return work().finally(() => happened.push('end'));
      },
    };
    const receivers = {
      moved: async () => ['held', 'forgotten already', 'moved'],
      forgetMoved: async (clientId: string) => {
        if (clientId === 'held') throw HELD;
        return clientId === 'moved';
      },
    };
    const waking = new WakeReceiver(
      db as unknown as Db,
      receivers as unknown as ReceiverStore,
      {
        waiting: async (clientId: string) => [{ id: `event of ${clientId}`, first: true }],
      } as unknown as DeliveryReads,
      { add: async ([job]: { entityId: string }[]) => void happened.push(job?.entityId ?? '') } as unknown as Jobs,
      {} as ClientRegistry,
    );
    expect(await waking.moved()).toBe(1);
    expect(happened).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'event of moved', 'end']);
  });
});

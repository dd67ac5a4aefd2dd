import { deliveryLimits } from './delivery';
import { HostSlots, type Slot } from './host-slots';

const HOST = 'hooks.example.com';
const CLIENTS = Array.from({ length: 12 }, (_, nth) => `busy ${nth}`);

/** Point 8: slots are fair by client. Who has nothing under way is seated before those who have some, however quick these are. */
describe('HostSlots of a host whose places and whose line are full', () => {
  it('seats a newcomer next', async () => {
    const slots = new HostSlots({ ...deliveryLimits, slotWaitMs: 60_000 });
    const seated: Slot[] = [];
    const told: string[] = [];
    const take = (client: string): Promise<void> =>
      slots.take(HOST, client).then((slot) => {
        if (slot) seated.push(slot);
        told.push(slot ? client : `${client} is turned away`);
      });
    const settled = (): Promise<void> => new Promise((goOn) => setImmediate(goOn));
    for (let nth = 0; nth < 2 * 8; nth += 1) for (const client of CLIENTS) void take(client);
    await settled();
    const before = told.length;
    void take('newcomer');
    await settled();
    seated.shift()?.giveBack();
    await settled();
    expect(told.slice(before).filter((one) => !/busy.*away/.test(one))[0]).toBe('newcomer');
    while (seated.length > 0) {
      for (const slot of seated.splice(0)) slot.giveBack();
      await settled();
    }
  });
});

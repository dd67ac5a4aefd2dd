/** Calls of gift_rail that nobody answered, long ago: one stands for all, until it is heard of itself. */
import { FixedClock, memoryRailStores } from '#libs/rail-kit/testing';
import { Sendings } from './sendings';

describe('calls of gift_rail that nobody answered', () => {
  it('are not forgotten because one of them is answered that slept for long', async () => {
    const clock = new FixedClock();
    const sendings = new Sendings(memoryRailStores(clock)('gift_rail'), clock);
    const sending = await sendings.toSend('one');
    const asleep = await sendings.calling('one');
    await sendings.calling('one');
    clock.advance(660);
    // Tremendous has too much to do: what came of the others is not looked at.
    await sendings.answered('one', sending, await sendings.calling('one'), false);
    await sendings.answered('one', sending, asleep, false);
    expect(await sendings.wasSent('one')).toBe(true);
  });

  it('leave nothing behind once each is answered, however late', async () => {
    const clock = new FixedClock();
    const sendings = new Sendings(memoryRailStores(clock)('gift_rail'), clock);
    const sending = await sendings.toSend('one');
    const asleep = await sendings.calling('one');
    clock.advance(660);
    await sendings.answered('one', sending, await sendings.calling('one'), false);
    await sendings.answered('one', sending, asleep, false);
    expect(await sendings.wasSent('one')).toBe(false);
  });
});

/** Whoever makes up a key now and then must not keep Circle's own notices out. */
import { randomUUID } from 'node:crypto';
import type { Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { swapRail } from './swap-rail';
import type { SwapRail } from './swap-rail.rail';
import { circleWorld } from './swap-rail.world.fake';

const MINUTES = 10;

describe('a genuine notice of swap_rail, while a stranger sends one forged notice a minute', () => {
  it('is read within ten minutes', async () => {
    const clock = new FixedClock();
    const world = await circleWorld(clock);
    const rail = swapRail.create({
      ...{ store: memoryRailStores(clock)('swap_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as SwapRail;
    const order = testOrder(swapRail.traits);
    await rail.submit(order);
    const [leg] = world.circle.transactionsOf(order.railKey, 'pay');
    const { headers, body } = world.circle.notice(leg as NonNullable<typeof leg>);
    const genuine = { headers, body: Buffer.from(body) };
    let passed = 0;
    const now = performance.now.bind(performance);
    const spy = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    const said: string[] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      await rail
        .readNotice({ ...genuine, headers: { ...headers, 'x-circle-key-id': randomUUID() } })
        .catch(() => undefined);
      passed += 30_000;
      said.push(
        await rail.readNotice(genuine).then(
          ({ kind }) => kind,
          () => 'refused',
        ),
      );
      passed += 30_500;
    }
    spy.mockRestore();
    await world.close?.();
    expect(said).toContain('hints');
  });
});

/** Whoever makes up the name of a certificate now and then must not keep PayPal's own notices out. */
import type { Notice, Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import type { ClaimRail } from './claim-rail.rail';
import { paypalWorld } from './claim-rail.world.fake';

const MINUTES = 10;

describe('a genuine notice of claim_rail, while a stranger sends one forged notice a minute', () => {
  it('is read within ten minutes', async () => {
    const clock = new FixedClock();
    const world = await paypalWorld(clock);
    const rail = claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as ClaimRail;
    const order = testOrder(claimRail.traits);
    await rail.submit(order);
    const genuine = (await world.notice?.(order)) as Notice;
    const url = String(genuine.headers['paypal-cert-url']).replace(/CERT-.*$/, 'CERT-none');
    const forged = { ...genuine, headers: { ...genuine.headers, 'paypal-cert-url': url } };
    let passed = 0;
    const now = performance.now.bind(performance);
    const spy = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
    const said: string[] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      await rail.readNotice(forged).catch(() => undefined);
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

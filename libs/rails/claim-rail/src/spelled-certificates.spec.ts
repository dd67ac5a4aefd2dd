/** One certificate of PayPal's has one name, in however many ways a stranger spells its address. */
import type { Notice, Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import type { ClaimRail } from './claim-rail.rail';
import { paypalWorld } from './claim-rail.world.fake';

const CERTIFICATES = '/v1/notifications/certs/';

it('claim_rail is not made to ask PayPal without end by a stranger who spells the address of its certificate in many ways', async () => {
  const clock = new FixedClock();
  const asked: string[] = [];
  const world = await paypalWorld(clock, ({ path }) => void (path.startsWith(CERTIFICATES) && asked.push(path)));
  try {
    const rail = claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as ClaimRail;
    const order = testOrder(claimRail.traits);
    await rail.submit(order);
    const genuine = (await world.notice?.(order)) as Notice;
    expect(await rail.readNotice(genuine)).toMatchObject({ kind: 'hints' });
    expect(asked).toHaveLength(1);
    const forged = (times: number): Notice => {
      const url = String(genuine.headers['paypal-cert-url']).replace('/v1/', `${'/.'.repeat(times)}/v1/`);
      return { headers: { ...genuine.headers, 'paypal-cert-url': url, 'paypal-transmission-sig': 'AAAA' }, body: genuine.body };
    };
    for (let times = 1; times <= 200; times += 1) await rail.readNotice(forged(times)).catch(() => undefined);
    expect(new Set(asked).size).toBe(1);
    expect(asked.length).toBeLessThanOrEqual(21);
  } finally {
    await world.close?.();
  }
});

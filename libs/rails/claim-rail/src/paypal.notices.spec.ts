/** Notices of PayPal: whose they are, and how little a stranger can make us do. */
import type { Notice, Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import type { ClaimRail } from './claim-rail.rail';
import { paypalWorld } from './claim-rail.world.fake';

const CERTIFICATES = '/v1/notifications/certs/';

describe('notices of claim_rail', () => {
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let rail: ClaimRail;
  let railKey: string;
  let genuine: Notice;
  let asked: string[];

  beforeEach(async () => {
    const clock = new FixedClock();
    asked = [];
    world = await paypalWorld(clock, ({ path }) => void (path.startsWith(CERTIFICATES) && asked.push(path)));
    rail = claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as ClaimRail;
    const order = testOrder(claimRail.traits);
    ({ railKey } = order);
    await rail.submit(order);
    genuine = (await world.notice?.(order)) as Notice;
  });
  afterEach(() => world.close?.());

  const strange = (name: string): Notice => {
    const url = String(genuine.headers['paypal-cert-url']).replace(/CERT-.*$/, `CERT-${name}`);
    return { ...genuine, headers: { ...genuine.headers, 'paypal-cert-url': url } };
  };

  it('ask for their certificate once, however many come at once', async () => {
    const readings = await Promise.all(Array.from({ length: 5 }, () => rail.readNotice(genuine)));
    for (const reading of readings) expect(reading).toMatchObject({ kind: 'hints', railKeys: [railKey] });
    expect(asked).toHaveLength(1);
  });

  it('of strangers who come at once make us ask a few times, and then no more for a while', async () => {
    const made = Array.from({ length: 30 }, (_, index) => rail.readNotice(strange(String(index))));
    const readings = await Promise.allSettled(made);
    expect(readings.map(({ status }) => status)).toEqual(readings.map(() => 'rejected'));
    await expect(rail.readNotice(strange('another'))).rejects.toThrow('a moment ago');
    expect(asked).toHaveLength(20);
  });

  it('are read though a stranger made up a name a moment before', async () => {
    await expect(rail.readNotice(strange('one'))).rejects.toThrow();
    expect(await rail.readNotice(genuine)).toMatchObject({ kind: 'hints' });
  });

  it('whose certificate is known are read whatever strangers do', async () => {
    await rail.readNotice(genuine);
    await expect(rail.readNotice(strange('one'))).rejects.toThrow();
    expect(await rail.readNotice(genuine)).toMatchObject({ kind: 'hints' });
  });
});

/** One certificate of PayPal's has one name, in however many ways a stranger spells its address. */
import type { Notice, Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { claimRail } from './claim-rail';
import type { ClaimRail } from './claim-rail.rail';
import { paypalWorld } from './claim-rail.world.fake';

const CERTIFICATES = '/v1/notifications/certs/';

describe('claim_rail, of a stranger who spells the address of a certificate of PayPal', () => {
  let asked: string[];
  let world: Awaited<ReturnType<typeof paypalWorld>>;
  let rail: ClaimRail;
  let genuine: Notice;

  beforeEach(async () => {
    asked = [];
    const clock = new FixedClock();
    world = await paypalWorld(clock, ({ path }) => void (path.startsWith(CERTIFICATES) && asked.push(path)));
    rail = claimRail.create({
      ...{ store: memoryRailStores(clock)('claim_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as ClaimRail;
    const order = testOrder(claimRail.traits);
    await rail.submit(order);
    genuine = (await world.notice?.(order)) as Notice;
  });
  afterEach(() => world.close?.());

  const forged = (spelled: (url: string, times: number) => string, times: number): Notice => {
    const url = spelled(String(genuine.headers['paypal-cert-url']), times);
    return { ...genuine, headers: { ...genuine.headers, 'paypal-cert-url': url, 'paypal-transmission-sig': 'AAAA' } };
  };

  it.each<[string, (url: string, times: number) => string]>([
    ['with dots', (url, times) => url.replace('/v1/', `${'/.'.repeat(times)}/v1/`)],
    ['with steps up', (url, times) => url.replace('/v1/', `${'/x/..'.repeat(times)}/v1/`)],
    ['as somebody', (url, times) => url.replace('://', `://user-${times}@`)],
    ['with an empty question', (url, times) => `${url}${'?'.repeat(times === 1 ? 1 : 0)}`],
    ['with blanks around it', (url, times) => `${' '.repeat(times)}${url}`],
    ['with a scheme in capitals', (url, times) => (times % 2 ? url.replace('http', 'HTTP') : url)],
  ])('%s: it is asked for once, and stays known', async (_, spelled) => {
    expect(await rail.readNotice(genuine)).toMatchObject({ kind: 'hints' });
    for (let times = 1; times <= 200; times += 1)
      expect(await rail.readNotice(forged(spelled, times))).toEqual({ kind: 'forged' });
    expect(await rail.readNotice(genuine)).toMatchObject({ kind: 'hints' });
    expect(asked).toHaveLength(1);
  });

  it('as a question of its own: it is forged, and not asked for', async () => {
    expect(await rail.readNotice(forged((url) => `${url}?x=1`, 1))).toEqual({ kind: 'forged' });
    expect(asked).toEqual([]);
  });
});

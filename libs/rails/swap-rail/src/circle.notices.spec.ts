/** Notices of Circle: whose they are, what they are about, and how little a stranger can make us do. */
import { randomUUID } from 'node:crypto';
import type { Notice, Rail } from '#libs/rail-kit';
import { FixedClock, memoryRailStores, RecordingLog, testOrder } from '#libs/rail-kit/testing';
import { swapRail } from './swap-rail';
import type { SwapRail } from './swap-rail.rail';
import { circleWorld } from './swap-rail.world.fake';

const KEYS = '/v2/notifications/publicKey/';

describe('notices of swap_rail', () => {
  let world: Awaited<ReturnType<typeof circleWorld>>;
  let rail: SwapRail;
  let railKey: string;
  let asked: string[];

  beforeEach(async () => {
    const clock = new FixedClock();
    asked = [];
    world = await circleWorld(clock, ({ path }) => void (path.startsWith(KEYS) && asked.push(path)));
    rail = swapRail.create({
      ...{ store: memoryRailStores(clock)('swap_rail'), clock, log: new RecordingLog(), deployment: 'spec' },
      ...{ hint: async () => undefined, settings: world.settings },
    }) as Rail as SwapRail;
    const order = testOrder(swapRail.traits);
    ({ railKey } = order);
    await rail.submit(order);
  });
  afterEach(() => world.close?.());

  function notice(kind: 'pay' | 'drain' = 'pay'): Notice {
    const [transaction] = world.circle.transactionsOf(railKey, kind);
    const { headers, body } = world.circle.notice(transaction as NonNullable<typeof transaction>);
    return { headers, body: Buffer.from(body) };
  }

  it('name the payout that a first leg or a drain is of, and ask for their key once', async () => {
    const [leg] = world.circle.transactionsOf(railKey, 'pay');
    world.circle.sendsOn(leg as NonNullable<typeof leg>, `0x${'cd'.repeat(20)}`);
    for (const kind of ['pay', 'drain'] as const)
      expect(await rail.readNotice(notice(kind))).toMatchObject({ kind: 'hints', railKeys: [railKey] });
    expect(asked).toHaveLength(1);
  });

  it('name no payout if they are about something else', async () => {
    const { treasury } = world.circle;
    const other = world.circle.books.transfer({ walletId: treasury.id, to: treasury.address, units: 1, refId: 'rent' });
    const { headers, body } = world.circle.notice(other);
    expect(await rail.readNotice({ headers, body: Buffer.from(body) })).toMatchObject({ kind: 'hints', railKeys: [] });
  });

  it.each([
    ['no key', { 'x-circle-key-id': '' }],
    ['a key that is no id', { 'x-circle-key-id': '../../v1/w3s/wallets' }],
    ['no signature', { 'x-circle-signature': '' }],
    ['a signature that is none', { 'x-circle-signature': 'AAAA' }],
  ])('with %s are forged', async (_, headers) => {
    const { body, headers: genuine } = notice();
    expect(await rail.readNotice({ body, headers: { ...genuine, ...headers } })).toEqual({ kind: 'forged' });
  });

  it('of a stranger make us ask a few times, and then no more for a while', async () => {
    const strange = (): Notice => ({ ...notice(), headers: { ...notice().headers, 'x-circle-key-id': randomUUID() } });
    expect(await rail.readNotice(strange())).toEqual({ kind: 'forged' });
    await Promise.allSettled(Array.from({ length: 30 }, () => rail.readNotice(strange())));
    await expect(rail.readNotice(strange())).rejects.toThrow('a moment ago');
    expect(asked).toHaveLength(20);
  });

  it('are read though a stranger made up a key a moment before', async () => {
    const stranger = { ...notice(), headers: { ...notice().headers, 'x-circle-key-id': randomUUID() } };
    expect(await rail.readNotice(stranger)).toEqual({ kind: 'forged' });
    expect(await rail.readNotice(notice())).toMatchObject({ kind: 'hints' });
  });

  it('whose key is known are read whatever strangers do', async () => {
    await rail.readNotice(notice());
    const stranger = { ...notice(), headers: { ...notice().headers, 'x-circle-key-id': randomUUID() } };
    expect(await rail.readNotice(stranger)).toEqual({ kind: 'forged' });
    expect(await rail.readNotice(notice())).toMatchObject({ kind: 'hints' });
  });

  it('name one key, however its letters are written', async () => {
    const { body, headers } = notice();
    const written = (change: (id: string) => string): Notice => ({
      body,
      headers: { ...headers, 'x-circle-key-id': change(headers['x-circle-key-id'] ?? '') },
    });
    expect(await rail.readNotice(written((id) => id.toUpperCase()))).toMatchObject({ kind: 'hints' });
    for (let nth = 0; nth < 36; nth += 1) {
      const other = written((id) => id.slice(0, nth) + (id[nth] ?? '').toUpperCase() + id.slice(nth + 1));
      expect(await rail.readNotice(other)).toMatchObject({ kind: 'hints' });
    }
    expect(asked).toHaveLength(1);
  });

  it('are told again while Circle gives no key', async () => {
    world.circle.faults.ask({ effect: 'server_error', match: { path: KEYS } });
    await expect(rail.readNotice(notice())).rejects.toThrow('no key');
  });
});

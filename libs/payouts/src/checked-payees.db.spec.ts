/** A payee who has to be checked before their money goes on: nothing is begun before, and nothing leaves that was taken back. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { CheckTiming } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';

const CLEARED = { kind: 'cleared' } as const;
const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
const NOT_CLEARED = [
  { kind: 'to_do' },
  { kind: 'checking' },
  { kind: 'rejected', reason: 'The photograph is blurred.' },
] as const;

describe('the money of a payee who has to be checked', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    railChecks('on_request');
    client = await world.client({ checksPayees: true });
  });

  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  const railChecks = (when: CheckTiming | undefined): void =>
    void Object.assign(world.get(Rails).traits('swap_rail') ?? {}, { checksPayees: when });
  const now = ({ id }: Payout): Promise<Payout> => world.payout(id);
  const begin = async (payout: Payout, entered = 'wallet-1'): Promise<Payout> =>
    world.get(BeginLeg).run(await now(payout), entered);
  const waiting = async (): Promise<Payout> => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    says({ drain: settled() });
    return now(payout);
  };
  const drains = ({ id }: Payout): (string | undefined)[] =>
    world.rail.calls.flatMap(({ order, leg }) => (order.payoutId === id && leg ? [leg.destination] : []));

  test.each(NOT_CLEARED)('is not begun while they are not cleared: $kind', async (check) => {
    const payout = await waiting();
    world.rail.check = check;
    await expect(begin(payout)).rejects.toMatchObject({ code: 'payee_not_checked' });
    expect(await now(payout)).toEqual(payout);
    world.rail.check = CLEARED;
    await begin(payout);
    expect((await drive(payout)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-1']);
  });

  test('is not begun while nobody can tell', async () => {
    const payout = await waiting();
    world.rail.check = NO_ANSWER;
    await expect(begin(payout)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await now(payout)).toEqual(payout);
  });

  test('is not sent if their clearance was taken back meanwhile, and they say where to once more', async () => {
    const payout = await waiting();
    await begin(payout);
    const [leg] = (await now(payout)).legs;
    world.rail.check = { kind: 'to_do' };
    expect(await drive(payout)).toMatchObject({ status: 'submitted', claimUrl: 'page:open', claimedAt: null });
    const back = await drive(payout, 2);
    expect(back.legs).toMatchObject([{ name: 'drain', key: leg?.key, awaitsPayee: true, toSend: false, sends: 0 }]);
    expect(back.legs[0]).not.toHaveProperty('destination');
    expect(drains(payout)).toEqual([]);
    await expect(begin(payout)).rejects.toMatchObject({ code: 'payee_not_checked' });
    world.rail.check = CLEARED;
    await begin(payout, 'wallet-2');
    expect((await drive(payout)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-2']);
  });

  test('waits as it is while nobody can tell whether it was taken back', async () => {
    const payout = await waiting();
    await begin(payout);
    world.rail.check = NO_ANSWER;
    expect((await drive(payout, 2)).legs).toMatchObject([{ destination: 'wallet-1', toSend: true, sends: 0 }]);
    world.rail.check = CLEARED;
    expect((await drive(payout)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-1']);
  });

  test('is brought to no other address once a call for it may have left, and not sent again before they are cleared', async () => {
    const payout = await waiting();
    await begin(payout);
    says({ drain: NO_ANSWER });
    await drive(payout);
    await drive(payout);
    world.rail.check = { kind: 'to_do' };
    expect((await drive(payout, 2)).legs).toMatchObject([{ destination: 'wallet-1', toSend: true, sends: 1 }]);
    await expect(begin(payout, 'wallet-2')).rejects.toMatchObject({ code: 'destination_fixed' });
    expect(drains(payout)).toEqual(['wallet-1']);
    says({ drain: settled() });
    world.rail.check = CLEARED;
    expect((await drive(payout)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-1', 'wallet-1']);
  });

  test('is found paid by a look, whatever became of their check', async () => {
    const payout = await waiting();
    await begin(payout);
    says({ drain: NO_ANSWER });
    await drive(payout);
    world.rail.check = { kind: 'rejected', reason: 'no' };
    knows(payout, settled());
    expect((await drive(payout)).status).toBe('paid');
  });

  test('moves once, of five workers that wake with the check of before it was taken back', async () => {
    const payout = await waiting();
    await begin(payout);
    const jobs = await Promise.allSettled(Array.from({ length: 5 }, () => world.drive(payout.id)));
    world.rail.check = { kind: 'to_do' };
    await Promise.allSettled(Array.from({ length: 3 }, () => drive(payout)));
    expect(jobs.length).toBe(5);
    // One of them may be late, hear that it still waits, and make the same call again: under one key its rail moves it once.
    const calls = world.rail.calls.flatMap(({ order, leg }) => (order.payoutId === payout.id && leg ? [leg] : []));
    expect(new Set(calls.map(({ key, destination }) => `${key} ${destination}`)).size).toBe(1);
    expect((await now(payout)).status).toBe('paid');
  });

  describe('is asked about', () => {
    test('for nobody whose client does not want it, unless the rail always does', async () => {
      client = await world.client();
      world.rail.check = { kind: 'to_do' };
      const free = await waiting();
      await begin(free);
      expect((await drive(free)).status).toBe('paid');
      expect(world.rail.checks).toBe(0);
      railChecks('always');
      const checked = await waiting();
      await expect(begin(checked)).rejects.toMatchObject({ code: 'payee_not_checked' });
    });

    test('by what the client wants when it leaves, and not when it began', async () => {
      client = await world.client();
      world.rail.check = { kind: 'to_do' };
      const payout = await waiting();
      await begin(payout);
      await world.wants(client, true);
      await drive(payout);
      expect(drains(payout)).toEqual([]);
      await world.wants(client, false);
      await begin(payout);
      expect((await drive(payout)).status).toBe('paid');
    });
  });

  describe('over a rail that checks nobody', () => {
    beforeEach(() => railChecks(undefined));

    test('is not sent at all', async () => {
      const payout = await pay('IT');
      expect(payout).toMatchObject({
        status: 'held',
        statusReason: expect.stringMatching(/^rail_not_allowed: swap_rail /),
      });
      const others = await pay('DE');
      expect(others.status).toBe('authorized');
    });

    test('and that was sent before their client wanted it, goes no further', async () => {
      client = await world.client();
      const payout = await waiting();
      await world.wants(client, true);
      await expect(begin(payout)).rejects.toMatchObject({ code: 'payee_not_checked' });
    });
  });
});

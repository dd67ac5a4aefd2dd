/** Money that waits for its payee, begun by who is not the payee any more, and never sent: the old mailbox said where it goes. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { UpsertPayee } from '#libs/payees';
import { legsScene, type MoneyWorld, settled, startMoneyWorld, waits } from '../testing/src';
import { RailLanes } from '#libs/rail-registry';
import { AskRail } from './use-cases/ask-rail';
import { BeginLeg } from './use-cases/begin-leg';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;
/** Whoever took the call on knows that it was not made: nothing is made for who is not known. */
const NOT_MADE = { kind: 'refused', failure: 'credentials', reason: 'nobody knows us there' } as const;
const BACK = { status: 'submitted', claimUrl: 'page:open', claimedAt: null };

describe('a payout whose payee became somebody else after they said where it goes', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => void (world = await startMoneyWorld()));
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  // What was to be sent is driven twice: if the process stood still for long, the first one asks its rail anew.
  const { says, pay, drive, knows } = legsScene(() => ({ world, client }));
  const drains = ({ id }: Payout) =>
    world.rail.calls.flatMap(({ order, leg }) => (order.payoutId === id && leg ? [leg.destination] : []));
  const begin = async ({ id }: Payout, entered: string): Promise<Payout> =>
    world.get(BeginLeg).run(await world.payout(id), entered);
  const waiting = async (): Promise<Payout> => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    await world.db.execute("UPDATE payees SET email = 'old@example.com' WHERE id = $1", [payout.payeeId]);
    return world.payout(payout.id);
  };
  const changes = async ({ payeeId }: Payout, to: object = { email: 'new@example.com' }): Promise<void> => {
    const known = await world.db.row<{ externalId: string }>('SELECT external_id FROM payees WHERE id = $1', [payeeId]);
    await world.get(UpsertPayee).run(client, { externalId: known?.externalId ?? '', ...to });
  };
  const blocks = ({ payeeId }: Payout, blocked = true) =>
    world.db.execute('UPDATE payees SET blocked = $2 WHERE id = $1', [payeeId, blocked]);
  const closes = ({ provider }: Payout) => world.get(RailLanes).pause(provider ?? '', 60, 'maintenance');
  const opens = ({ provider }: Payout) => world.get(RailLanes).open(provider ?? '', ['not_now', 'credentials']);
  const taken = (): void => says({ drain: settled() });

  test('is not sent there, and goes where its payee says who they are now', async () => {
    const payout = await waiting();
    await closes(payout);
    await begin(payout, 'wallet-of-the-old-mailbox');
    await changes(payout);
    await opens(payout);
    taken();
    expect(await drive(payout)).toMatchObject({ ...BACK, legs: [{ awaitsPayee: true, toSend: false, sends: 0 }] });
    await drive(payout);
    expect(drains(payout)).toEqual([]);
    await begin(payout, 'wallet-2');
    expect((await drive(payout, 2)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-2']);
  });

  test('goes back to them also while nothing is sent to its rail, or they are blocked', async () => {
    const payout = await waiting();
    await closes(payout);
    await begin(payout, 'wallet-of-the-old-mailbox');
    await changes(payout);
    await blocks(payout);
    expect(await drive(payout)).toMatchObject(BACK);
    await Promise.all([opens(payout), blocks(payout, false)]);
  });

  test('is sent where they say once they are who they are', async () => {
    const payout = await waiting();
    await changes(payout);
    await begin(payout, 'wallet-1');
    taken();
    expect((await drive(payout, 2)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-1']);
  });

  test('is sent where they say right after that, also if the clock is read late', async () => {
    const payout = await waiting();
    await changes(payout);
    const row = await world.db.row<{ at: Date }>('SELECT email_changed_at AS at FROM payees WHERE id = $1', [
      payout.payeeId,
    ]);
    const before = new Date((row?.at.getTime() ?? 0) - 500);
    const read = jest.spyOn(world.get(AskRail), 'askedAt').mockReturnValue(before);
    await begin(payout, 'wallet-1');
    read.mockRestore();
    taken();
    expect((await drive(payout, 2)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-1']);
  });

  test('and that may have left, is brought to its end where it was sent', async () => {
    const payout = await waiting();
    await begin(payout, 'wallet-1');
    says({ drain: NO_ANSWER });
    await drive(payout);
    await changes(payout);
    taken();
    expect((await drive(payout, 2)).status).toBe('paid');
    expect(drains(payout)).toEqual(['wallet-1', 'wallet-1']);
  });

  describe('before a call for it that somebody took on was made', () => {
    const notMade = async (): Promise<Payout> => {
      const payout = await waiting();
      await begin(payout, 'wallet-1');
      says({ drain: NOT_MADE });
      expect((await drive(payout)).legs).toMatchObject([{ destination: 'wallet-1', toSend: true, sends: 1 }]);
      await opens(payout);
      taken();
      return payout;
    };

    test('is not sent there', async () => {
      const payout = await notMade();
      await changes(payout);
      // Under another key: its rail may keep the address with that of before.
      const [before] = (await world.payout(payout.id)).legs;
      const { legs, ...back } = await drive(payout);
      expect(back).toMatchObject(BACK);
      expect(legs).toMatchObject([
        { ...before, toSend: false, over: true },
        { awaitsPayee: true, sends: 0 },
      ]);
      expect(legs[1]?.key).not.toBe(before?.key);
      await begin(payout, 'wallet-2');
      expect((await drive(payout, 2)).status).toBe('paid');
      expect(drains(payout)).toEqual(['wallet-1', 'wallet-2']);
    });

    test('is not sent while they are blocked either', async () => {
      const payout = await notMade();
      await blocks(payout);
      expect((await drive(payout, 2)).legs).toMatchObject([{ destination: 'wallet-1', toSend: true, sends: 1 }]);
      await blocks(payout, false);
      expect((await drive(payout, 2)).status).toBe('paid');
    });

    test('and after one that may have left, is brought to its end', async () => {
      const payout = await notMade();
      says({ drain: NO_ANSWER });
      await drive(payout);
      says({ drain: NOT_MADE });
      await drive(payout, 2);
      await changes(payout);
      await opens(payout);
      taken();
      expect((await drive(payout, 2)).status).toBe('paid');
      expect(new Set(drains(payout))).toEqual(new Set(['wallet-1']));
    });
  });
});

/** A call that the payee begins: to where they said, once, and back to them only if nobody took it on. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { claimed, legsScene, type MoneyWorld, refused, settled, startMoneyWorld, waits } from '../testing/src';
import { BeginLeg } from './use-cases/begin-leg';

const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('a payout whose payee says where it goes', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
  });

  const { passes, says, pay, drive, callsOf, knows } = legsScene(() => ({ world, client }));
  const now = ({ id }: Payout) => world.payout(id);
  const begin = async (payout: Payout, entered = 'wallet-1') => world.get(BeginLeg).run(await now(payout), entered);
  /** Its first call brought the money to its payee's wallet. */
  const waiting = async (): Promise<Payout> => {
    says({ first: waits() });
    const payout = await pay('IT');
    await drive(payout);
    knows(payout, waits());
    return now(payout);
  };
  const begun = async (): Promise<Payout> => {
    const payout = await waiting();
    world.rail.answers = null;
    return begin(payout);
  };
  const drains = ({ id }: Payout) =>
    world.rail.calls.flatMap(({ order, leg }) => (order.payoutId === id && leg ? [leg] : []));
  const keyOf = (payout: Payout): string => payout.legs.at(-1)?.key ?? '';
  const stepsOf = async ({ id }: Payout): Promise<string[]> => {
    const steps = await world.db.rows<{ step: string }>(
      `SELECT type || ' ' || actor AS step FROM payout_trail WHERE payout_id = $1 ORDER BY sequence`,
      [id],
    );
    return steps.map(({ step }) => step).slice(3);
  };

  test('waits for them, and is paid to where they said', async () => {
    const payout = await waiting();
    expect(await drive(payout, 3)).toMatchObject({
      status: 'submitted',
      legs: [{ name: 'drain', awaitsPayee: true, sends: 0 }],
    });
    expect(callsOf(payout)).toEqual(['first']);
    says({ drain: settled() });
    expect(await begin(payout, ' Wallet-1 ')).toMatchObject({ claimUrl: null, claimedAt: expect.any(Date) as Date });
    expect(await drive(payout)).toMatchObject({ status: 'paid', legs: [{ destination: 'wallet-1', said: 'settled' }] });
    expect(drains(payout)).toMatchObject([{ name: 'drain', destination: 'wallet-1', key: keyOf(payout) }]);
    expect(await stepsOf(payout)).toEqual(['await_payee rail', 'claim payee', 'settle rail']);
  });

  test('is sent at once by the job, which may be due much later', async () => {
    const payout = await waiting();
    await world.work('payout.drive', payout.id);
    await begin(payout);
    const job = await world.db.row<{ due: boolean }>('SELECT run_at <= now() AS due FROM jobs WHERE entity_id = $1', [
      payout.id,
    ]);
    expect(job?.due).toBe(true);
  });

  test('stays as it is if its rail refuses the address, or cannot be asked', async () => {
    const payout = await waiting();
    world.rail.destination = { kind: 'refused', reason: 'Another network.' };
    await expect(begin(payout)).rejects.toMatchObject({ code: 'destination_refused', message: 'Another network.' });
    for (const answer of [NO_ANSWER, { kind: 'taken', destination: ' ' } as const]) {
      world.rail.destination = answer;
      await expect(begin(payout)).rejects.toMatchObject({ code: 'service_unavailable' });
    }
    world.rail.destination = null;
    knows(payout, NO_ANSWER);
    await expect(begin(payout)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(await now(payout)).toEqual(payout);
  });

  test('takes the same address again as the same, whatever became of it, and no other', async () => {
    const payout = await waiting();
    await Promise.all(Array.from({ length: 5 }, () => begin(payout).catch(() => null)));
    await begin(payout);
    await expect(begin(payout, 'wallet-2')).rejects.toMatchObject({ code: 'destination_fixed' });
    says({ drain: settled() });
    await drive(payout);
    expect(await begin(payout)).toMatchObject({ status: 'paid' });
    await expect(begin(payout, 'wallet-2')).rejects.toMatchObject({ code: 'destination_fixed' });
    expect(drains(payout)).toHaveLength(1);
    expect(await stepsOf(payout)).toEqual(['await_payee rail', 'claim payee', 'settle rail']);
  });

  test('of two addresses that cross goes to one', async () => {
    const payout = await waiting();
    const told = await Promise.allSettled(['wallet-1', 'wallet-2'].map((entered) => begin(payout, entered)));
    expect(told.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    says({ drain: settled() });
    await drive(payout, 1);
    expect(drains(payout)).toHaveLength(1);
  });

  test('is begun by nobody unless its rail waits for its payee at a call', async () => {
    const authorized = await pay('IT');
    await expect(begin(authorized)).rejects.toMatchObject({ code: 'illegal_transition' });
    says({ first: { ...waits(), begins: undefined } as ReturnType<typeof waits> });
    await drive(authorized);
    await expect(begin(authorized)).rejects.toMatchObject({ code: 'illegal_transition' });
    expect(callsOf(authorized)).toEqual(['first']);
  });

  test('is made although its client was suspended since', async () => {
    const payout = await waiting();
    await world.setStatus(client, 'suspended');
    await begin(payout);
    says({ drain: settled() });
    expect((await drive(payout)).status).toBe('paid');
  });

  test('which waited long for its turn is asked about before it is sent', async () => {
    const payout = await begun();
    await passes(payout, 3_600);
    knows(payout, settled());
    expect((await drive(payout)).status).toBe('paid');
    expect(drains(payout)).toEqual([]);
  });

  describe('from a database that is older than what was begun', () => {
    test.each([
      ['was paid since', settled(), 'paid'],
      ['is on its way', claimed(), 'submitted'],
    ])('begins nothing of what %s', async (_, fact, status) => {
      const payout = await waiting();
      knows(payout, fact);
      for (let times = 0; times < 2; times += 1)
        await expect(begin(payout)).rejects.toMatchObject({ code: 'illegal_transition' });
      expect(await now(payout)).toMatchObject({ status });
      expect(drains(payout)).toEqual([]);
      if (status === 'paid') return;
      // It came back to the wallet.
      knows(payout, waits());
      await drive(payout);
      expect(await begin(payout)).toMatchObject({ legs: [{ toSend: true, destination: 'wallet-1' }] });
    });

    test('begins what was refused since under another key', async () => {
      const payout = await waiting();
      knows(payout, waits(keyOf(payout)));
      says({ drain: settled() });
      await begin(payout, 'wallet-2');
      expect((await drive(payout)).status).toBe('paid');
      expect(drains(payout)).toMatchObject([{ destination: 'wallet-2' }]);
      expect(drains(payout)[0]?.key).not.toBe(keyOf(payout));
    });
  });

  test('is asked for nothing by a worker that wakes with what its first call was answered', async () => {
    const payout = await pay('IT');
    const first = world.drive(payout.id);
    const call = await world.rail.call(1);
    says({ first: waits(), drain: claimed() });
    await drive(payout);
    knows(payout, waits());
    await begin(payout);
    await drive(payout);
    call.answer(waits());
    await first;
    expect((await now(payout)).legs).toMatchObject([{ said: 'claimed', toSend: false, sends: 1 }]);
  });

  describe('and that has no answer', () => {
    test('is asked about, and sent again with the same address under the same key only if it never arrived', async () => {
      const payout = await begun();
      says({ drain: NO_ANSWER });
      await drive(payout);
      knows(payout, NO_ANSWER);
      await drive(payout, 2);
      expect(drains(payout)).toHaveLength(1);
      knows(payout, waits());
      says({ drain: claimed() });
      await drive(payout, 2);
      const [first, second, ...more] = drains(payout);
      expect([second, more]).toEqual([first, []]);
      expect((await now(payout)).legs).toMatchObject([{ said: 'claimed', sends: 2, destination: 'wallet-1' }]);
    });

    test('and moved money is paid, as soon as its rail tells', async () => {
      const payout = await begun();
      says({ drain: NO_ANSWER });
      await drive(payout);
      knows(payout, settled());
      expect((await drive(payout)).status).toBe('paid');
      expect(drains(payout)).toHaveLength(1);
    });
  });

  describe('and that is refused', () => {
    test('waits for its payee once more, who says where to anew: a call under another key', async () => {
      const payout = await begun();
      says({ drain: waits(keyOf(payout)) });
      const again = await drive(payout);
      expect(again).toMatchObject({ status: 'submitted', claimedAt: null, claimUrl: expect.any(String) as string });
      expect(again.legs).toMatchObject([
        { destination: 'wallet-1', said: 'refused', refusal: 'Another network.', over: true },
        { name: 'drain', awaitsPayee: true, round: 1, over: false },
      ]);
      knows(payout, waits(keyOf(payout)));
      says({ drain: settled() });
      await drive(payout, 2);
      await begin(payout, 'wallet-2');
      expect((await drive(payout)).status).toBe('paid');
      expect(drains(payout).map(({ destination }) => destination)).toEqual(['wallet-1', 'wallet-2']);
      expect(new Set(drains(payout).map(({ key }) => key)).size).toBe(2);
      const steps = ['await_payee rail', 'claim payee', 'await_payee rail', 'claim payee', 'settle rail'];
      expect(await stepsOf(payout)).toEqual(steps);
    });

    test('in a look-up, is not refused before no call can be under way', async () => {
      const payout = await begun();
      says({ drain: NO_ANSWER });
      await drive(payout);
      knows(payout, waits(keyOf(payout)));
      expect(await drive(payout)).toMatchObject({ legs: [{ toSend: false, over: false }] });
      await world.age(payout.id, 60);
      expect(await drive(payout)).toMatchObject({ legs: [{ said: 'refused' }, { awaitsPayee: true }] });
      expect(drains(payout)).toHaveLength(1);
    });

    test('after another send of it was taken on, is not refused', async () => {
      const payout = await begun();
      const first = world.drive(payout.id);
      const asleep = await world.rail.call(2);
      await world.drive(payout.id);
      const second = world.drive(payout.id);
      (await world.rail.call(3)).answer(claimed());
      await second;
      asleep.answer(waits(keyOf(payout)));
      await first;
      expect((await now(payout)).legs).toMatchObject([{ said: 'claimed', over: false }]);
      knows(payout, settled());
      expect((await drive(payout)).status).toBe('paid');
    });

    test('while another send of it may be under way, is refused when that one was too', async () => {
      const payout = await begun();
      const first = world.drive(payout.id);
      const asleep = await world.rail.call(2);
      await world.drive(payout.id);
      const second = world.drive(payout.id);
      (await world.rail.call(3)).answer(waits(keyOf(payout)));
      await second;
      expect((await now(payout)).legs).toMatchObject([{ over: false }]);
      await expect(begin(payout, 'wallet-2')).rejects.toMatchObject({ code: 'destination_fixed' });
      asleep.answer(waits(keyOf(payout)));
      await first;
      expect((await now(payout)).legs).toMatchObject([{ over: true }, { awaitsPayee: true }]);
    });

    test('is not what was refused before: its key tells', async () => {
      const payout = await begun();
      says({ drain: waits(keyOf(payout)) });
      await drive(payout);
      const refusedKey = keyOf(payout);
      knows(payout, waits(refusedKey));
      await begin(payout, 'wallet-2');
      says({ drain: NO_ANSWER });
      await drive(payout);
      await world.age(payout.id, 60);
      says({ drain: settled() });
      expect((await drive(payout, 2)).status).toBe('paid');
      expect(drains(payout).map(({ destination }) => destination)).toEqual(['wallet-1', 'wallet-2', 'wallet-2']);
    });

    test('and moved money all the same, is paid, and nothing more is begun', async () => {
      const payout = await begun();
      says({ drain: waits(keyOf(payout)) });
      await drive(payout);
      knows(payout, settled());
      await expect(begin(payout, 'wallet-2')).rejects.toMatchObject({ code: 'illegal_transition' });
      expect((await now(payout)).status).toBe('paid');
    });

    test('with the whole payout, ends it as any refusal does', async () => {
      const payout = await waiting();
      knows(payout, refused('expired'));
      expect(await drive(payout)).toMatchObject({ status: 'failed', legs: [{ over: true }] });
      await expect(begin(payout)).rejects.toMatchObject({ code: 'illegal_transition' });
    });
  });
});

/** A payout whose first call has left is brought to its end, whatever happened since to its payee, its client and its rail. */
import type { Client } from '#libs/clients';
import { DriftBook } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { RailIdentity, RailLanes } from '#libs/rail-registry';
import { legsScene, type MoneyWorld, refused, settled, startMoneyWorld, thenDo } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

describe('a payout in legs that has begun is brought to its end', () => {
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

  const { passes, says, pay, inLegs, drive, callsOf, keysOf, knows } = legsScene(() => ({ world, client }));

  const goesOn = async (payout: Payout): Promise<void> => {
    says({ payout: settled() });
    expect((await drive(payout)).status).toBe('paid');
    expect(callsOf(payout)).toEqual(['first', 'payout']);
  };

  test.each(['suspended', 'closed'] as const)('although its client is %s', async (status) => {
    const payout = await inLegs();
    await world.setStatus(client, status);
    await goesOn(payout);
  });

  test('although its payee is blocked', async () => {
    const payout = await inLegs();
    await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payout.payeeId]);
    await goesOn(payout);
  });

  test('although its account is no longer payable, or was replaced', async () => {
    says({ first: thenDo('payout') });
    const payout = await pay('FR');
    await drive(payout);
    await world.db.execute(`UPDATE methods SET payable = false WHERE payee_id = $1`, [payout.payeeId]);
    await world.adopt(client, { id: payout.payeeId } as never);
    world.rail.forgetReadings();
    await goesOn(payout);
    expect(world.rail.accountsRead).toEqual([]);
  });

  test('once its rail takes calls again', async () => {
    const payout = await inLegs();
    await world.get(RailLanes).pause('claim_rail', 60, 'too many calls');
    says({ payout: settled() });
    await drive(payout);
    expect(callsOf(payout)).toEqual(['first']);
    await world.get(RailLanes).open('claim_rail', ['not_now']);
    await goesOn(payout);
  });

  test('once its rail knows us again: a call that was refused for our credentials was not made', async () => {
    says({ first: thenDo('payout'), payout: refused('credentials') });
    const payout = await pay('IT');
    expect(await drive(payout, 3)).toMatchObject({ status: 'submitted', legs: [{ toSend: true }], openAttempts: [] });
    expect(callsOf(payout)).toEqual(['first', 'payout']);
    await world.get(RailLanes).open('swap_rail', ['credentials']);
    says({ payout: settled() });
    expect((await drive(payout)).status).toBe('paid');
    expect(keysOf('payout').size).toBe(1);
  });

  describe('what its rail asked for a while ago', () => {
    /** As in a database that was restored, or after days in which nothing could be sent. */
    const aDayLater = async (): Promise<Payout> => {
      const payout = await inLegs();
      await passes(payout, 86_400);
      says({ payout: settled() });
      return payout;
    };

    test('is not called once more if it was done since', async () => {
      const payout = await aDayLater();
      knows(payout, settled());
      expect((await drive(payout)).status).toBe('paid');
      expect(callsOf(payout)).toEqual(['first']);
    });

    test('waits until the rail asks for it again', async () => {
      const payout = await aDayLater();
      knows(payout, { kind: 'unknown', detail: 'no answer' });
      expect(await drive(payout)).toMatchObject({ status: 'submitted', legs: [{ toSend: true }] });
      expect(callsOf(payout)).toEqual(['first']);
      knows(payout, thenDo('payout'));
      await goesOn(payout);
    });
  });

  test('not while operators look into a difference about it', async () => {
    const payout = await inLegs();
    const { id, railKey, amountCents } = payout;
    const money = { railCents: amountCents, railCurrency: 'USD', ourCents: amountCents, ourCurrency: 'USD' };
    const found = {
      rail: 'claim_rail',
      railKey,
      kind: 'amount_differs',
      payoutId: id,
      providerRef: 'other',
    } as const;
    await world
      .get(DriftBook)
      .record([{ ...found, ...money, ourStatus: 'submitted', hasMoved: true, liftingFeeCents: null }]);
    await drive(payout, 2);
    expect(callsOf(payout)).toEqual(['first']);
    await world.db.execute(`UPDATE drift SET resolved_at = now(), resolved_by = 'ada' WHERE payout_id = $1`, [id]);
    await goesOn(payout);
  });

  test('not with another account of its provider: it is held, and goes on if the old one is bound again', async () => {
    await world.get(RailIdentity).rebind('claim_rail', { account: 'one', mode: 'live' });
    const payout = await inLegs();
    await world.get(RailIdentity).rebind('claim_rail', { account: 'two', mode: 'live' });
    expect(await drive(payout)).toMatchObject({ status: 'held', legs: [{ toSend: false, over: false }] });
    expect(callsOf(payout)).toEqual(['first']);
    await world.get(RailIdentity).rebind('claim_rail', { account: 'one', mode: 'live' });
    knows(payout, thenDo('payout'));
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    await goesOn(payout);
  });

  test('not with another account either once it was paid: it stays paid, and asks nothing of the other one', async () => {
    await world.get(RailIdentity).rebind('claim_rail', { account: 'three', mode: 'live' });
    const payout = await inLegs();
    says({ payout: settled() });
    await drive(payout);
    knows(payout, thenDo('pull_back'));
    await world.get(AskRail).lookUp(await world.payout(payout.id));
    await world.get(RailIdentity).rebind('claim_rail', { account: 'four', mode: 'live' });
    world.rail.knows.clear();
    expect(await drive(payout, 2)).toMatchObject({ status: 'paid', legs: [{}, { name: 'pull_back', toSend: true }] });
    expect(callsOf(payout)).toEqual(['first', 'payout']);
  });
});

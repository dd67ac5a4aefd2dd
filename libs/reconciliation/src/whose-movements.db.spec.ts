/** Whose a listed movement is: of which deployment, and of which account of its provider. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import { DriftReads } from '#libs/drift';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { RailIdentity } from '#libs/rail-registry';
import type { RailMovement, SubmitFact } from '#libs/rail-kit';
import { compare, startReconciledWorld } from '../testing/src';

describe('a movement that a rail lists', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const sent = async (country: string, answer: SubmitFact): Promise<Payout> => {
    const payee = await world.payee(client, { country });
    world.rail.answers = () => answer;
    const { id } = await world.pay(client, payee);
    if (country !== 'ES') await world.drive(id); // there the request sends it
    return world.payout(id);
  };
  const moved = ({ railKey, amountCents }: Pick<Payout, 'railKey' | 'amountCents'>): RailMovement => ({
    ...{ railKey, amountCents, providerRef: `ref ${railKey}`, currency: 'USD', movedAt: systemClock.now() },
  });
  /** All rails of a spec list the same. */
  const open = async (railKey: string, rail = 'claim_rail') =>
    (await world.get(DriftReads).list({ open: true, rail }, null, 100)).filter((drift) => drift.railKey === railKey);

  test.each([['another'], [''], [null], [undefined]])(
    'under a code of ours counts, whatever deployment it is said to be of (%s)',
    async (deployment) => {
      const failed = await sent('DE', refused('permanent'));
      world.rail.moved = [{ ...moved(failed), deployment } as RailMovement];
      await compare(world);
      expect(await open(failed.railKey)).toMatchObject([{ kind: 'not_paid_here', payoutId: failed.id }]);
    },
  );

  test('under another code is none of ours if another deployment moved it, and money that nobody knows of if not', async () => {
    await sent('DE', refused('permanent'));
    const [theirs, unnamed] = ['gw-theirs', 'gw-unnamed'].map((railKey) => moved({ railKey, amountCents: 500 }));
    world.rail.moved = [
      { ...theirs, deployment: 'another' },
      { ...unnamed, deployment: '' },
    ] as RailMovement[];
    await compare(world);
    expect(await open('gw-theirs')).toEqual([]);
    expect(await open('gw-unnamed')).toMatchObject([{ kind: 'unknown_here' }]);
  });

  test('is not missed in the list of another account, which the rail was bound to since', async () => {
    const identity = world.get(RailIdentity);
    await identity.rebind('at_once', { account: 'one', mode: 'live' });
    const over = async (): Promise<Payout> => {
      const paid = await sent('ES', settled());
      await world.db.execute(`UPDATE payouts SET updated_at = now() - interval '6 minutes' WHERE id = $1`, [paid.id]);
      return paid;
    };
    const paid = await over();
    await identity.rebind('at_once', { account: 'another', mode: 'live' });
    await compare(world);
    expect(await open(paid.railKey, 'at_once')).toEqual([]);
    await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
    const since = await over();
    await compare(world);
    expect(await open(since.railKey, 'at_once')).toMatchObject([{ kind: 'not_moved_there' }]);
  });

  /** Which account a payout was sent with is noted with it: the list of that one, and no other, is held against it (ADR 68). */
  describe('is held against the account that a payout was sent with,', () => {
    const bind = (account: string) => world.get(RailIdentity).rebind('at_once', { account, mode: 'live' });
    const paidLongAgo = async (aheadSeconds = 0): Promise<Payout> => {
      const paid = await sent('ES', settled());
      await world.db.execute(
        `UPDATE payouts SET updated_at = now() - interval '6 minutes', code_since = code_since + $2::float8 * interval '1 second',
           submitted_at = submitted_at + $2::float8 * interval '1 second' WHERE id = $1`,
        [paid.id, aheadSeconds],
      );
      return paid;
    };

    test('be it sent in the moment that was bound', async () => {
      await bind('a moment ago');
      const paid = await paidLongAgo();
      expect((await world.payout(paid.id)).sentElsewhere).toBe(false);
      await compare(world);
      expect(await open(paid.railKey, 'at_once')).toMatchObject([{ kind: 'not_moved_there' }]);
    });

    test('once a wrong account was bound and the right one again', async () => {
      await bind('right');
      await world.db.execute(`UPDATE rail_accounts SET rebound_at = rebound_at - interval '1 minute'`);
      const paid = await paidLongAgo();
      await bind('wrong');
      await bind('right');
      expect((await world.payout(paid.id)).sentElsewhere).toBe(false);
      await compare(world);
      expect(await open(paid.railKey, 'at_once')).toMatchObject([{ kind: 'not_moved_there' }]);
    });

    test('and not another one, though it was sent by a clock that was ahead', async () => {
      await bind('of before');
      const paid = await paidLongAgo(1_200);
      await bind('of now');
      expect((await world.payout(paid.id)).sentElsewhere).toBe(true);
      await compare(world);
      expect(await open(paid.railKey, 'at_once')).toEqual([]);
    });
  });

  /** What the right account moves while a wrong one is bound is no less money: its list is read from where that one's took over. */
  test.each([
    ['as if nobody had compared meanwhile', false],
    ['though the other one was compared with meanwhile', true],
  ])('is named once its account is bound again, %s', async (_, isCompared) => {
    const MINUTE_MS = 60_000;
    const bind = (account: string) => world.get(RailIdentity).rebind('claim_rail', { account, mode: 'live' });
    await bind('right');
    const failed = await sent('DE', refused('permanent'));
    await compare(world);
    // An hour ago. For three quarters of it the wrong account was bound, and compared with each minute.
    await world.age(failed.id, 3_600);
    await world.db.execute(`UPDATE rail_scans SET scanned_until = scanned_until - interval '1 hour'`);
    await bind('wrong');
    if (isCompared) await compare(world);
    const movedAt = new Date(systemClock.now().getTime() - 30 * MINUTE_MS);
    world.rail.moved = [{ ...moved(failed), movedAt }];
    await bind('right');
    await compare(world);
    expect(await open(failed.railKey)).toMatchObject([{ kind: 'not_paid_here', payoutId: failed.id }]);
  });
});

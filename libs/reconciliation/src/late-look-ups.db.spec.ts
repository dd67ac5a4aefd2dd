/** A provider tells of news before its look-ups do: what brings nothing new is asked about again, and no more often than that. */
import { systemClock } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { RailHints } from '#libs/rail-registry';
import { compare, startReconciledWorld } from '../testing/src';
import { ReceiveNotice } from './use-cases/receive-notice';

const BOUNCED = { kind: 'bounced', feeCents: 0 } as const;
const NO_ANSWER = { kind: 'unknown', detail: 'no answer' } as const;

describe('news that a provider tells of before its look-ups do', () => {
  let world: MoneyWorld;
  let client: Client;
  let notices = 0;
  beforeAll(async () => {
    world = await startReconciledWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const sent = async (answer = settled('one')): Promise<Payout> => {
    world.rail.answers = () => answer;
    const { id, railKey } = await world.pay(client, await world.payee(client));
    await world.work('payout.drive', id);
    world.rail.answers = null;
    world.rail.knows.set(railKey, answer);
    return world.payout(id);
  };
  const notice = async (payout: Payout, noticeId = `notice ${(notices += 1)}`): Promise<string> => {
    const reading = { kind: 'hints', noticeId, railKeys: [payout.railKey] };
    Object.assign(world.rail, { readNotice: () => Promise.resolve(reading) });
    await world.get(ReceiveNotice).run('claim_rail', { headers: {}, body: Buffer.from('') });
    return noticeId;
  };
  /** In how many seconds it is asked about again; null: not at all. */
  const waits = async ({ id }: Payout): Promise<number | null> => {
    const job = await world.db.row<{ seconds: number }>(
      `SELECT extract(epoch FROM run_at - now())::float8 AS seconds FROM jobs WHERE name = 'payout.look' AND entity_id = $1`,
      [id],
    );
    return job && job.seconds;
  };
  /** As if that long had passed since the question was raised, and since the payout came to rest. */
  const pass = async ({ id }: Payout, seconds: number): Promise<void> => {
    const back = (column: string): string => `${column} = ${column} - $2::float8 * interval '1 second'`;
    await world.db.execute(`UPDATE jobs SET ${back('created_at')}, ${back('run_at')} WHERE entity_id = $1`, [
      id,
      seconds,
    ]);
    await world.db.execute(`UPDATE payouts SET ${back('updated_at')} WHERE id = $1`, [id, seconds]);
  };
  const between = (least: number, most: number) => (seconds: number | null) =>
    expect([seconds !== null && seconds > least, seconds !== null && seconds <= most]).toEqual([true, true]);

  test.each(['a notice', 'a hint'])('by %s is asked about four times more, and heard', async (raised) => {
    const payout = await sent();
    if (raised === 'a notice') await notice(payout);
    else await world.get(RailHints).hint('claim_rail', payout.railKey);
    await world.work('payout.look', payout.id);
    between(-Infinity, 20)(await waits(payout));
    await pass(payout, 21);
    await world.work('payout.look', payout.id);
    between(-Infinity, 30)(await waits(payout));
    await pass(payout, 30);
    await world.work('payout.look', payout.id);
    between(20, 600)(await waits(payout));
    await pass(payout, 570);
    await world.work('payout.look', payout.id);
    between(600, 3_600)(await waits(payout));
    world.rail.knows.set(payout.railKey, BOUNCED);
    await pass(payout, 3_000);
    await world.work('payout.look', payout.id);
    expect([await world.status(payout.id), await waits(payout)]).toEqual(['returned', null]);
  });

  test('and that never came is asked about no more after an hour', async () => {
    const payout = await sent();
    await notice(payout);
    await pass(payout, 3_601);
    await world.work('payout.look', payout.id);
    expect([await world.status(payout.id), await waits(payout)]).toEqual(['paid', null]);
  });

  test('is asked about anew, by each notice that is new', async () => {
    const payout = await sent();
    await notice(payout);
    await world.work('payout.look', payout.id);
    await pass(payout, 3_590);
    await notice(payout);
    await world.work('payout.look', payout.id);
    between(-Infinity, 20)(await waits(payout));
  });

  test('is asked about by a repeated notice too, once in a minute, and sooner only where it is anyway', async () => {
    const payout = await sent();
    const id = await notice(payout);
    await world.work('payout.look', payout.id);
    await notice(payout, id);
    between(-Infinity, 20)(await waits(payout));
    await pass(payout, 21);
    await world.work('payout.look', payout.id);
    const asked = world.rail.asked.length;
    for (let times = 0; times < 3; times += 1) await notice(payout, id);
    between(0, 60)(await waits(payout));
    expect(world.rail.asked).toHaveLength(asked);
    // And long after that.
    await world.db.execute('DELETE FROM jobs WHERE entity_id = $1', [payout.id]);
    world.rail.knows.set(payout.railKey, BOUNCED);
    await notice(payout, id);
    between(0, 60)(await waits(payout));
    await world.work('payout.look', payout.id);
    expect(await world.status(payout.id)).toBe('returned');
  });

  test('of what was refused for now is asked about too, where the second look does not come soon', async () => {
    const payout = await sent(refused());
    await pass(payout, 3_700);
    await notice(payout);
    await world.work('payout.look', payout.id);
    between(-Infinity, 20)(await waits(payout));
    world.rail.knows.set(payout.railKey, settled('one'));
    await world.work('payout.look', payout.id);
    expect([await world.status(payout.id), await waits(payout)]).toEqual(['paid', null]);
  });

  test('and that the rail could not answer meanwhile is asked about until it can, and again', async () => {
    const payout = await sent();
    await notice(payout);
    world.rail.knows.set(payout.railKey, NO_ANSWER);
    for (let times = 0; times < 8; times += 1) await world.work('payout.look', payout.id);
    world.rail.knows.set(payout.railKey, settled('one'));
    await world.work('payout.look', payout.id);
    between(-Infinity, 20)(await waits(payout));
  });

  test('of what is under way is left to the job that sees to it', async () => {
    const payout = await sent(accepted('one'));
    await notice(payout);
    await world.work('payout.look', payout.id);
    expect([await world.status(payout.id), await waits(payout)]).toEqual(['submitted', null]);
  });

  test('by a list is asked about once it is listed no longer', async () => {
    const payout = await sent(refused());
    const { railKey, amountCents } = payout;
    world.rail.moved = [{ railKey, amountCents, providerRef: 'one', currency: 'USD', movedAt: systemClock.now() }];
    await compare(world);
    between(0, 600)(await waits(payout));
    await compare(world);
    between(0, 600)(await waits(payout));
    world.rail.moved = [];
    world.rail.knows.set(railKey, settled('one'));
    await world.work('payout.look', payout.id);
    expect([await world.status(payout.id), await waits(payout)]).toEqual(['paid', null]);
  });
});

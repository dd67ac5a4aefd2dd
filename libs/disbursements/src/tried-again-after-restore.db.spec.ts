/**
 * A database restored an hour back: a payout of rows had been refused for now before the backup. Meanwhile its rows left with one more,
 * under another code, and were paid. The restored database tries the first one again, under its own code, which its rail refused.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { RemedyPayout } from '#libs/payouts';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { SubmitFact } from '#libs/rail-kit';
import { compare } from '#libs/reconciliation/testing';
import { isListedBy, OwedScene, startOwedWorld } from '../testing/src';

const OUT_OF_FUNDS = { kind: 'refused', failure: 'funding', reason: 'no money' } as const;
const OF_ACCOUNT = { kind: 'refused', failure: 'account', reason: 'not now' } as const;

describe('rows that left with others since the backup, and whose refused payout is tried again', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    await compare(world);
  });

  const sent = async (country: string, says: SubmitFact): Promise<Payout> => {
    const scene = await OwedScene.of(world, client, country);
    await scene.push(6_000);
    world.rail.answers = () => says;
    const [{ id }] = (await scene.withdraw()) as [Payout];
    if ((await world.status(id)) === 'authorized') await world.drive(id);
    const payout = await world.payout(id);
    world.rail.knows.set(payout.railKey, says);
    world.rail.calls.length = 0;
    world.rail.answers = () => settled('again');
    return payout;
  };
  /** As `npm run restore` does. */
  const isRestored = (): Promise<unknown> =>
    world.db.execute(
      `UPDATE rail_scans SET restored_at = now() - interval '10 minutes', scanned_until = now() - interval '11 minutes'`,
    );
  /** The code of the same rows and one more: of the same payee, and of which this database knows nothing. */
  const codeWithOneMore = ({ railKey }: Payout): string =>
    `${railKey.slice(0, 18)}${createHash('sha256').update(randomUUID()).digest('hex').slice(0, 32)}`;
  const triedByItself = async ({ id }: Payout): Promise<number> => {
    await world.work('payout.retry', id);
    const { status, toSend } = await world.payout(id);
    if (status === 'authorized' || toSend) await world.drive(id);
    return world.rail.calls.length;
  };
  const by = async (remedy: 'retry' | 'release', payout: Payout): Promise<number> => {
    const after = await world
      .get(RemedyPayout)
      [remedy](payout, 'client')
      .catch(() => payout);
    if (after.status === 'authorized' || after.toSend) await world.drive(after.id);
    return world.rail.calls.length;
  };

  test('are not paid again by the service itself before the lists were compared with', async () => {
    const payout = await sent('DE', OUT_OF_FUNDS);
    expect(payout).toMatchObject({
      status: 'failed',
      statusReason: expect.stringMatching(/^rail_out_of_funds/) as string,
    });
    await isRestored();
    expect(await triedByItself(payout)).toBe(0);
  });

  test('nor once their rail lists what it paid, and nobody looked at that', async () => {
    const payout = await sent('DE', OUT_OF_FUNDS);
    await isRestored();
    await isListedBy(world, 'claim_rail', codeWithOneMore(payout));
    expect(await triedByItself(payout)).toBe(0);
  });

  test.each([['DE'], ['FR'], ['ES']])('nor by a retry of their caller, once it is listed (%s)', async (country) => {
    const payout = await sent(country, refused());
    expect(payout.status).toBe('failed');
    await isRestored();
    await isListedBy(world, String(payout.provider), codeWithOneMore(payout));
    expect(await by('retry', payout)).toBe(0);
  });

  test.each([['FR']])('nor by a release, once it is listed (%s)', async (country) => {
    const payout = await sent(country, OF_ACCOUNT);
    expect(payout.status).toBe('held');
    await isRestored();
    await isListedBy(world, 'custodial_a', codeWithOneMore(payout));
    expect(await by('release', payout)).toBe(0);
  });

  test('nor by the job that asks about a send that never arrived, once it is listed', async () => {
    const payout = await sent('DE', { kind: 'unknown', detail: 'no answer' });
    expect(payout.status).toBe('submitted');
    world.rail.knows.delete(payout.railKey);
    await world.age(payout.id, 60);
    await isRestored();
    await isListedBy(world, 'claim_rail', codeWithOneMore(payout));
    await world.drive(payout.id);
    expect(world.rail.calls).toHaveLength(0);
  });

  test('are tried again as ever where no backup was put back', async () => {
    expect(await triedByItself(await sent('DE', OUT_OF_FUNDS))).toBe(1);
  });
});

/**
 * What a wallet covers, was sent before and cannot be asked about now stays as it is: its rail answers at once that it cannot tell, so that
 * the jobs that ask are over before the next portion is chosen. It keeps nothing back that its client has beside it.
 */
import { randomUUID } from 'node:crypto';
import { WalletBook } from '#libs/wallets';
import { copiesOf, type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { SelfReleaseJobs } from './jobs/self-release.job';
import { RemedyPayout } from './use-cases/remedy-payout';

const OLD = 200;

describe('what a wallet covers, behind very many whose rail says at once that it cannot tell', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => world.stop());

  test('goes on, and the job of the deposit ends', async () => {
    const client = await world.client({ prepaid: true });
    const deposit = (amountCents: number) =>
      world.get(WalletBook).post({
        ...{ type: 'deposit', currency: 'USD', note: null, amountCents },
        ...{ clientId: client.id, reference: randomUUID() },
      } as never);
    await deposit(1_000);
    const french = await world.payee(client, { country: 'FR' });
    await world.adopt(client, french);
    const first = await world.pay(client, french, 1_000);
    world.rail.says({ first: refused('transient') });
    await world.drive(first.id);
    expect(await world.payout(first.id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    // Another one takes what is in the wallet, and the first is tried again.
    await world.pay(client, await world.payee(client), 1_000);
    await world.get(RemedyPayout).retry(await world.payout(first.id), 'client');
    expect(await world.payout(first.id)).toMatchObject({ status: 'held', shortOf: 'wallet' });
    // So it was two hours ago, and its rail honours a code for one.
    await world.db.execute(
      `UPDATE payouts SET created_at = created_at - interval '2 hours', updated_at = updated_at - interval '2 hours',
         submitted_at = submitted_at - interval '2 hours' WHERE id = $1`,
      [first.id],
    );
    await copiesOf(world, await world.payout(first.id), OLD);
    // Of another rail, and never sent.
    const young = await world.pay(client, await world.payee(client), 1_000);
    expect(young.status).toBe('held');

    // The first rail does not answer for a while.
    jest.spyOn(world.rail, 'lookup').mockResolvedValue({ kind: 'unknown', detail: 'HTTP 503' });
    await deposit(10_000_000);
    const jobs = world.get(SelfReleaseJobs);
    const due = async (): Promise<string[]> =>
      (
        await world.db.rows<{ entityId: string }>(
          `SELECT entity_id FROM jobs WHERE name = 'payout.retry' AND run_at <= now() + interval '1 second'`,
          [],
        )
      ).map(({ entityId }) => entityId);
    const after: unknown[] = [];
    for (let nth = 0; nth < 4; nth += 1) {
      after.push(await jobs.afterFunding(client.id));
      for (const id of await due()) await world.work('payout.retry', id);
    }
    await jobs.release();
    expect(await world.status(first.id)).toBe('held');
    expect({ young: await world.status(young.id), after: after.at(-1) }).toEqual({
      young: 'authorized',
      after: undefined,
    });
  }, 120_000);
});

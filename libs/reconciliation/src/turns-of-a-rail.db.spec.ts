/** Clients of one rail take turns: what is sent, asked about or tried again over it is each client's own in the rail's lane. */
import type { JobName } from '#libs/jobs';
import type { Payout } from '#libs/payout-rules';
import { PayoutJobs } from '#libs/payouts';
import { accepted, type MoneyWorld } from '#libs/payouts/testing';
import { RailHints } from '#libs/rail-registry';
import { startReconciledWorld } from '../testing/src';
import { ReceiveNotice } from './use-cases/receive-notice';

describe('the jobs of one rail', () => {
  let world: MoneyWorld;
  let payouts: Payout[];
  beforeAll(async () => {
    world = await startReconciledWorld();
    world.rail.answers = () => accepted();
    payouts = [];
    for (let n = 0; n < 2; n += 1) {
      const client = await world.client();
      payouts.push(await world.pay(client, await world.payee(client)));
    }
  });
  afterAll(() => world.stop());

  const expectOwned = async (name: JobName): Promise<void> => {
    const jobs = await world.db.rows(
      'SELECT entity_id AS id, lane, owner FROM jobs WHERE name = $1 ORDER BY entity_id',
      [name],
    );
    const owned = payouts.map(({ id, clientId }) => ({ id, lane: 'claim_rail', owner: clientId }));
    expect(jobs).toEqual(owned.sort((a, b) => (a.id < b.id ? -1 : 1)));
  };

  test('are their clients’ where they send', async () => {
    await expectOwned('payout.drive');
    for (const { id } of payouts) await world.drive(id);
  });

  test.each(['a notice', 'a hint', 'a payout that changed'])('and where they ask, because of %s', async (raised) => {
    await world.db.execute(`DELETE FROM jobs WHERE name = 'payout.look'`);
    const railKeys = payouts.map(({ railKey }) => railKey);
    const reading = { kind: 'hints', noticeId: 'one', railKeys };
    Object.assign(world.rail, { readNotice: () => Promise.resolve(reading) });
    if (raised === 'a notice') await world.get(ReceiveNotice).run('claim_rail', { headers: {}, body: Buffer.from('') });
    else if (raised === 'a hint') for (const key of railKeys) await world.get(RailHints).hint('claim_rail', key);
    else await world.get(PayoutJobs).lookAll(payouts);
    await expectOwned('payout.look');
  });

  test('and where they try again', async () => {
    await world.get(PayoutJobs).goOn(payouts);
    await expectOwned('payout.retry');
  });
});

/** A rail that takes long to list what it moved, and the money of the others meanwhile. */
import { systemClock } from '#libs/domain';
import { happening } from '#libs/db/testing';
import { DriftReads } from '#libs/drift';
import { type MoneyWorld, refused } from '#libs/payouts/testing';
import { RailCaller } from '#libs/rail-registry';
import { startReconciledWorld } from '../testing/src';
import { ScanMovementsJob } from './jobs/scan-movements.job';

describe('a rail that takes long to list what it moved', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test('keeps no other rail from being compared with in the next minute', async () => {
    const caller = world.get(RailCaller);
    const [asked, answers] = [happening(), happening()];
    const movements = caller.movements.bind(caller);
    jest.spyOn(caller, 'movements').mockImplementation(async (rail, since, until) => {
      if (rail !== 'claim_rail') return movements(rail, since, until);
      asked.happens();
      return answers.promise.then(() => []);
    });
    const job = world.get(ScanMovementsJob);
    const slow = job.onSchedule();
    await asked.promise;

    const client = await world.client();
    world.rail.answers = () => refused('permanent');
    const { id, railKey, amountCents } = await world.pay(client, await world.payee(client, { country: 'IT' }));
    await world.drive(id);
    world.rail.moved = [{ railKey, amountCents, providerRef: 'ref', currency: 'USD', movedAt: systemClock.now() }];
    const isNamed = async (): Promise<boolean> =>
      (await world.get(DriftReads).list({ open: true }, null, 100)).some(({ payoutId }) => payoutId === id);
    while (!(await isNamed())) await job.onSchedule();

    answers.happens();
    await slow;
  });
});

/**
 * A rail that was configured in the time that a restored database lost is bound by the first call to it, and waited for from then on. That call may be
 * the one that asks for its list: what is to be listed was decided before.
 */
import { systemClock } from '#libs/domain';
import { DriftReads } from '#libs/drift';
import { earlier, isRestored, type MoneyWorld } from '#libs/payouts/testing';
import type { VerificationAnswer } from '#libs/rail-kit';
import { RailCaller, RailLanes, Rails, UnheardOfRails } from '#libs/rail-registry';
import { compare, startReconciledWorld } from '../testing/src';

/** In no route, and nothing was paid over it as far as the backup knows. */
const RAIL = 'at_once_account';
const CODE = 'a'.repeat(32);

describe('the first comparison with a rail that a restored database never heard of', () => {
  let world: MoneyWorld;
  beforeEach(async () => {
    world = await startReconciledWorld();
    const works: VerificationAnswer = { kind: 'works', account: 'of the platform', mode: 'live' };
    const give = (rail: string, powers: PropertyDescriptorMap): void => {
      const registered = world.get(Rails).find(rail);
      if (!registered) throw new Error('There is no such rail.');
      registered.rail = Object.create(registered.rail as object, powers) as typeof registered.rail;
    };
    give(RAIL, { verify: { value: async () => works } });
    // Waits for an operator: it lists nothing.
    give('claim_rail', { movements: { value: undefined } });
    const client = await world.client();
    const { id } = await world.pay(client, await world.payee(client, { country: 'DE' }));
    await earlier(world, id, '2 hours');
    await world.db.execute(`UPDATE payouts SET created_at = created_at - interval '2 hours'`);
    await isRestored(world);
    // The service starts.
    await world.get(UnheardOfRails).onModuleInit();
    const movedAt = new Date(systemClock.now().getTime() - 3_600_000);
    const money = { providerRef: 'in the lost time', amountCents: 6_000, currency: 'USD' };
    world.rail.moved = [{ rail: RAIL, railKey: CODE, movedAt, ...money }];
  });
  afterEach(() => world.stop());

  const named = async (): Promise<string[]> =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).map(({ kind, rail }) => `${kind} ${rail}`);
  const awaited = async (): Promise<string[]> => (await world.get(RailLanes).awaited()).map(({ rail }) => rail);

  test.each([
    ['it was verified before', true],
    ['its provider did not answer when the service started', false],
  ])('reads what it moved in the lost time, if %s', async (_, isVerified) => {
    expect(await awaited()).toContain(RAIL);
    if (isVerified) await world.get(RailCaller).isVerified(RAIL);
    await compare(world);
    await compare(world);
    expect(await awaited()).not.toContain(RAIL);
    expect(await named()).toEqual([`unknown_here ${RAIL}`]);
  });
});

/**
 * A database that was restored to when a payout had failed because its rail was out of funds. Since then its rows left with one more, under another
 * code, and were paid. The rail lists nothing, so nothing here tells of that: a person has to compare by hand, before anything leaves by itself.
 */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { Rails } from '#libs/rail-registry';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('rows of a rail that lists nothing, in a database that was restored', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startOwedWorld();
    const registered = world.get(Rails).find('claim_rail');
    if (!registered) throw new Error('There is no such rail.');
    registered.rail = Object.create(world.rail, { movements: { value: undefined } }) as typeof registered.rail;
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client();
    await compare(world);
  });

  const callsFor = ({ id }: Payout): number => world.rail.calls.filter(({ order }) => order.payoutId === id).length;
  /** Its jobs, as the schedules of the service have them done. */
  const goesOn = async (payout: Payout): Promise<void> => {
    world.rail.answers = () => settled('again');
    await world.work('payout.retry', payout.id);
    if ((await world.status(payout.id)) === 'submitted') await world.drive(payout.id);
  };

  test('that failed for a lack of funds before do not leave once more by themselves', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused('funding');
    const [payout] = (await scene.withdraw()) as [Payout];
    expect(await world.payout(payout.id)).toMatchObject({ status: 'failed', failureKind: 'transient' });
    world.rail.knows.set(payout.railKey, refused('funding'));
    // As `npm run restore` leaves it. All that lists anything is compared with a minute later.
    await world.db.execute(
      `UPDATE rail_scans SET restored_at = now(), scanned_until = least(scanned_until, now() - interval '11 minutes')`,
    );
    await goesOn(payout);
    expect(callsFor(payout)).toBe(1);
    await compare(world);
    await goesOn(payout);
    expect(callsFor(payout)).toBe(1);
  });
});

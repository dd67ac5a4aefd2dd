/**
 * A rail was configured in the time that a restored database lost, routes led to it, and rows left by it together with others. The restored database
 * never heard of it. The service that is started knows it, but its provider does not answer whose credentials these are when it is asked first; the other
 * rails are compared with meanwhile.
 */
import type { Client } from '#libs/clients';
import { ChangeRoutes } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { isRestored, type MoneyWorld, settled } from '#libs/payouts/testing';
import type { VerificationAnswer } from '#libs/rail-kit';
import { RailCaller, RailLanes, Rails, UnheardOfRails } from '#libs/rail-registry';
import { compare } from '#libs/reconciliation/testing';
import { OwedScene, startOwedWorld } from '../testing/src';

const WORKS: VerificationAnswer = { kind: 'works', account: 'of the platform', mode: 'live' };
const NO_ANSWER: VerificationAnswer = { kind: 'unknown', detail: '503' };

describe('a rail that a restored database never heard of, and whose provider is down when the service starts', () => {
  let world: MoneyWorld;
  let client: Client;
  let says: VerificationAnswer = NO_ANSWER;
  beforeAll(async () => {
    world = await startOwedWorld();
    const registered = world.get(Rails).find('claim_rail');
    if (!registered) throw new Error('There is no such rail.');
    const verify = async (): Promise<VerificationAnswer> => says;
    registered.rail = Object.create(registered.rail as object, { verify: { value: verify } }) as typeof registered.rail;
    // As the backup has it: claim_rail is in no route, and nothing was paid over it.
    await world.get(ChangeRoutes).run(() => [{ country: 'FR', rails: ['custodial_a'], blocked: false }]);
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    says = NO_ANSWER;
    client = await world.client();
    await world.db.execute('DELETE FROM rail_accounts');
    await world.db.execute('DELETE FROM rail_scans');
    await compare(world);
    await world.db.execute(`DELETE FROM rail_scans WHERE rail <> 'custodial_a'`);
  });

  const awaited = async (): Promise<string[]> => (await world.get(RailLanes).awaited()).map(({ rail }) => rail);

  test.each<[string, VerificationAnswer]>([
    ['answers at once', WORKS],
    ['answers two minutes later', NO_ANSWER],
  ])('is waited for, if it %s', async (_, atFirst) => {
    const scene = await OwedScene.of(world, client);
    await scene.push(6_000);
    await isRestored(world);
    // The service starts, and compares a minute later with what it can.
    await world.get(UnheardOfRails).onModuleInit();
    says = atFirst;
    await world.get(RailCaller).isVerified('claim_rail');
    expect(await awaited()).toEqual(expect.arrayContaining(['claim_rail', 'custodial_a']));
    world.rail.moved = [];
    world.rail.answers = () => settled('again');
    const [payout] = (await scene.withdraw()) as [Payout];
    await world.db.execute(`UPDATE rail_scans SET scanned_until = now() WHERE rail <> 'claim_rail'`); // their comparisons
    if ((await world.status(payout.id)) === 'authorized') await world.drive(payout.id);
    expect([await world.status(payout.id), world.rail.calls.length]).toEqual(['authorized', 0]);
  });
});

/** Whoever takes the database over, a newer version for one, does not wait until rails were asked about all that an operator wants to know. */
import { VersionGate } from '#libs/db';
import { AskRail } from '#libs/payouts';
import { accepted, copiesOf, type MoneyWorld } from '#libs/payouts/testing';
import { startReconciledWorld } from '../testing/src';
import { ScanMovementsJob } from './jobs/scan-movements.job';

const MANY = 300;
const AT_ONCE = 8;

describe('what an operator has rails asked about', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    world = await startReconciledWorld();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    world.get(VersionGate).set(false);
  });
  afterAll(() => world.stop());

  test('ends with the questions under way when a newer version takes the database over', async () => {
    const client = await world.client();
    const payee = await world.payee(client, { country: 'DE' });
    world.rail.answers = () => accepted();
    const { id } = await world.pay(client, payee);
    await world.drive(id);
    const payout = await world.payout(id);
    expect(payout.status).toBe('submitted');
    await copiesOf(world, payout, MANY, { created_at: 'created_at', submitted_at: 'submitted_at' });
    const [gate, asking] = [world.get(VersionGate), world.get(AskRail)];
    const lookUp = asking.lookUp.bind(asking);
    const questions = jest.spyOn(asking, 'lookUp').mockImplementation((about) => {
      gate.set(true);
      return lookUp(about);
    });
    await world.get(ScanMovementsJob).now(gate.signal);
    expect(questions.mock.calls.length).toBeLessThanOrEqual(2 * AT_ONCE);
  }, 60_000);
});

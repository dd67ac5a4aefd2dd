/**
 * A send waited for its turn, so it is looked at once more (`hasWaited`), and its process stands still for eight seconds while that look is under way: the
 * answer is older than its lease, and it had to begin before (BEGIN_WITHIN_MS). Nothing is sent (points 1 and 3).
 */
import type { Client } from '#libs/clients';
import { AskRail } from './use-cases/ask-rail';
import { type MoneyWorld, settled, startMoneyWorld, ticksAhead } from '../testing/src';

const WAITED_MS = 1_500;
const STOOD_STILL_MS = 8_000;

describe('a send whose process stands still while it looks whether it is still wanted', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  afterEach(() => jest.restoreAllMocks());

  test.each([false, true])('is not made, its payee being blocked meanwhile: %s', async (isBlocked) => {
    world.rail.answers = () => settled();
    const payee = await world.payee(client);
    const { id } = await world.pay(client, payee);
    const rail = world.get(AskRail);
    let passedMs = 0;
    const orderOf = rail.orderOf.bind(rail);
    jest.spyOn(rail, 'orderOf').mockImplementation((payout) => {
      passedMs = WAITED_MS;
      ticksAhead(world, () => passedMs);
      return orderOf(payout);
    });
    const isStopped = rail.isStopped.bind(rail);
    const looked: boolean[] = [];
    jest.spyOn(rail, 'isStopped').mockImplementation(async (payout) => {
      const answer = await isStopped(payout);
      if (isBlocked) await world.db.execute('UPDATE payees SET blocked = true WHERE id = $1', [payee.id]);
      passedMs += STOOD_STILL_MS;
      looked.push(answer);
      return answer;
    });
    await world.drive(id);
    expect([looked[0], world.rail.callsOf(id)]).toEqual([false, []]);
  });
});

/**
 * A payout that was sent and held goes on by itself as long as its client lets it (ADR 58), and not once that was taken back: neither where
 * another process did so a moment ago, nor while its rail was asked.
 */
import { type Client, ClientRegistry } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, startMoneyWorld } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';
import { ReleaseCleared } from './use-cases/release-cleared';

describe('a payout that was sent and held, whose client lets it go on by itself no more', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ autoRelease: ['not_payable'] });
  });
  afterEach(() => jest.restoreAllMocks());

  /** Its rail says no to it still, and its job is about to try it again. */
  const dueAgain = async (): Promise<Payout> => {
    const payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
    const { id } = await world.pay(client, payee);
    world.rail.says({ first: refused('account') });
    await world.drive(id);
    const payout = await world.payout(id);
    world.rail.knows.set(payout.railKey, refused('account'));
    await world.db.execute(
      `UPDATE payouts SET updated_at = updated_at - interval '1 hour', submitted_at = submitted_at - interval '1 hour' WHERE id = $1`,
      [id],
    );
    expect(await world.get(ReleaseCleared).run()).toBe(1);
    return payout;
  };
  const takeBack = (): Promise<unknown> =>
    world.db.execute(`UPDATE clients SET auto_release = '{}' WHERE id = $1`, [client.id]);

  test('stays held, though another process took it back', async () => {
    const { id } = await dueAgain();
    await world.get(ClientRegistry).byId(client.id); // as for any job of it
    await takeBack();
    await world.work('payout.retry', id);
    expect(await world.status(id)).toBe('held');
  });

  test('stays held, though it was taken back while its rail was asked', async () => {
    const { id } = await dueAgain();
    const rail = world.get(AskRail);
    const ask = rail.ask.bind(rail);
    jest.spyOn(rail, 'ask').mockImplementation(async (...asked) => {
      await takeBack();
      world.get(ClientRegistry).changed(client.id);
      return ask(...asked);
    });
    await world.work('payout.retry', id);
    expect(await world.status(id)).toBe('held');
  });

  test('goes on, though its client is active again since a moment ago only', async () => {
    const { id } = await dueAgain();
    await world.db.execute(`DELETE FROM jobs WHERE entity_id = $1`, [id]); // while it was suspended
    const asKept = { client: { ...client, status: 'suspended' as const }, secrets: [] };
    jest.spyOn(world.get(ClientRegistry), 'byId').mockResolvedValue(asKept);
    expect(await world.get(ReleaseCleared).run()).toBe(1);
    jest.restoreAllMocks();
    await world.work('payout.retry', id); // its rail is asked first
    expect(await world.status(id)).toBe('authorized');
  });

  test('goes on while it is wanted', async () => {
    const { id } = await dueAgain();
    await world.work('payout.retry', id);
    expect(await world.status(id)).toBe('authorized');
  });
});

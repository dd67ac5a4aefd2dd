/**
 * What a caller of a prepaid client paid came back, and its rail has it out again for good: its payee keeps it. Rows are called paid, and the wallet is
 * charged. A payout of the caller's own stays `returned`: an operator who would call it paid hears how the wallet is charged.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import type { LookupFact } from '#libs/rail-kit';
import { availableCents, WalletBook, WalletReads } from '#libs/wallets';
import { OwedScene, startOwedWorld } from '../testing/src';

describe('what a prepaid client paid, that came back and is out again', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    client = await world.client({ prepaid: true });
    const deposit = {
      type: 'deposit',
      currency: 'USD',
      amountCents: 10_000,
      reference: randomUUID(),
      note: null,
    } as const;
    await world.get(WalletBook).post({ clientId: client.id, ...deposit });
    scene = await OwedScene.of(world, client);
  });

  const outAgain = async (payout: Payout): Promise<Payout> => {
    world.rail.answers = () => settled();
    await world.drive(payout.id);
    await scene.tells(payout, { kind: 'bounced', feeCents: 0 });
    await scene.tells(payout, settled());
    return payout;
  };
  const available = async (): Promise<number[]> => (await world.get(WalletReads).of(client.id)).map(availableCents);

  test('of rows: once it is called paid the wallet has paid it, although its rail refuses it then, until it comes back', async () => {
    await scene.push(6_000);
    const [payout] = (await scene.withdraw()) as [Payout];
    await scene.resolve(await outAgain(payout), 'paid');
    expect(await available()).toEqual([4_000]);
    await scene.tells(payout, refused('permanent') as LookupFact);
    await scene.resolve(payout, 'owed');
    expect(await available()).toEqual([4_000]);
    await scene.tells(payout, { kind: 'bounced', feeCents: 100 });
    await scene.resolve(payout, 'owed');
    expect(await available()).toEqual([9_900]);
  });

  test('of a caller: whoever would call it paid hears what to do about the wallet', async () => {
    const payout = await outAgain(await world.pay(client, scene.payee, 6_000));
    await expect(scene.resolve(payout, 'paid')).rejects.toThrow('charge the wallet with `gw wallet adjust`');
    expect(await available()).toEqual([10_000]);
  });
});

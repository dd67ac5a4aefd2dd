/** What a gift pays was on another payout before, whose rail says now that it moved the money: an operator has to look first. */
import type { Client } from '#libs/clients';
import { OwedScene } from '#libs/disbursements/testing';
import { UpsertPayee } from '#libs/payees';
import { type MoneyWorld, refused, settled, waits } from '#libs/payouts/testing';
import { LeadPayee } from './lead-payee';
import { startWalletWorld, visitOf } from './wallets-open.fake';

describe('a click that leads a payee to their gift', () => {
  let world: MoneyWorld;
  let client: Client;
  let handedOver: string[];
  beforeAll(async () => {
    world = await startWalletWorld();
    handedOver = [];
    Object.assign(world.rail, {
      payeeLink: async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' }),
      handedOver: async (_: object, of: string) => void handedOver.push(of),
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  test('leads nobody there while a rail says that it moved the same money', async () => {
    const scene = await OwedScene.of(world, client, 'DE');
    await scene.push(6_000);
    world.rail.answers = () => refused();
    const [first] = await scene.withdraw();
    if (!first) throw new Error('Nothing was withdrawn.');
    expect(await world.status(first.id)).toBe('failed');
    const payee = await world.get(UpsertPayee).run(client, { externalId: scene.payee.externalId, country: 'IT' });
    world.rail.answers = () => waits();
    const [gift] = await scene.withdraw();
    expect(gift).toMatchObject({ amountCents: 6_000, provider: 'swap_rail' });
    const id = gift?.id ?? '';
    if (gift?.status === 'authorized') await world.drive(id);
    expect(await world.payout(id)).toMatchObject({ status: 'submitted', claimUrl: expect.any(String) });
    await scene.tells(first, settled());
    expect(await scene.openDrift(first)).toMatchObject([{ kind: 'not_paid_here' }]);
    const led = await world.get(LeadPayee).run(await visitOf(world, client, payee, id));
    expect({ led, handedOver }).toEqual({ led: null, handedOver: [] });
    await world.db.execute('UPDATE drift SET resolved_at = now(), resolved_by = $2 WHERE payout_id = $1', [
      first.id,
      'an operator',
    ]);
    const then = await world.get(LeadPayee).run(await visitOf(world, client, payee, id));
    expect({ then, handedOver }).toEqual({ then: 'https://gifts.example/1', handedOver: ['gift-1'] });
  });
});

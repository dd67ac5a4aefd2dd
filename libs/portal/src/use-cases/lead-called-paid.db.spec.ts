/** An operator called a gift paid: its payee has the money by another order, and this one was handed over to nobody. */
import type { Client } from '#libs/clients';
import { OwedScene } from '#libs/disbursements/testing';
import type { Payee } from '#libs/payees';
import type { Payout } from '#libs/payout-rules';
import { type MoneyWorld, settled, waits } from '#libs/payouts/testing';
import { LeadPayee } from './lead-payee';
import { ReadPayments } from './read-payments';
import { startWalletWorld, visitOf, visitorOf } from './wallets-open.fake';

describe('a gift that an operator called paid', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  let payee: Payee;
  let gift: Payout;
  beforeAll(async () => {
    world = await startWalletWorld();
    Object.assign(world.rail, {
      payeeLink: async () => ({ kind: 'link', url: 'https://gifts.example/1', of: 'gift-1' }),
      handedOver: async () => undefined,
    });
    client = await world.client({ rateLimitPerMinute: 1_000 });
  });
  afterAll(() => world.stop());

  beforeEach(async () => {
    scene = await OwedScene.of(world, client, 'IT');
    payee = scene.payee;
    await scene.push(6_000);
    world.rail.answers = () => waits();
    const [made] = await scene.withdraw();
    if (!made) throw new Error('Nothing was withdrawn.');
    if (made.status === 'authorized') await world.drive(made.id);
    gift = await world.payout(made.id);
    expect(gift).toMatchObject({ status: 'submitted', claimUrl: expect.any(String) });
  });

  /** What its payee's list leads to, what its page says, and where a click goes, by what was shown to them before. */
  const shown = async (before = visitOf(world, client, payee, gift.id)) => {
    const { payments } = await world.get(ReadPayments).run(await visitorOf(world, client, payee), null);
    const { stage, isLed } = await visitOf(world, client, payee, gift.id);
    const led = await world.get(LeadPayee).run(await before);
    return { onward: payments.map(({ onward }) => onward?.kind ?? null), stage, isLed, led };
  };
  const calledPaid = async (): Promise<void> => {
    await scene.isListed(gift, 'another order');
    expect(await scene.resolve(gift, 'paid')).toBe(1);
    expect(await world.status(gift.id)).toBe('paid');
  };

  test('leads its payee nowhere, nor a click from before', async () => {
    const before = visitOf(world, client, payee, gift.id);
    expect((await before).isLed).toBe(true);
    await calledPaid();
    expect(await shown(before)).toEqual({ onward: [null], stage: 'paid', isLed: false, led: null });
  });

  test('is another one than a gift that was handed over, which leads there again', async () => {
    await scene.tells(gift, settled());
    expect(await shown()).toEqual({
      ...{ onward: ['claim_again'], stage: 'paid', isLed: true },
      led: 'https://gifts.example/1',
    });
  });
});

/** A payout carries its link for as long as its payee has something to do. */
import type { Client } from '#libs/clients';
import type { Payout } from '#libs/payout-rules';
import type { LookupFact } from '#libs/rail-kit';
import { type MoneyWorld, settled, startMoneyWorld } from '../testing/src';
import { AskRail } from './use-cases/ask-rail';

const WAITS = { kind: 'awaiting_payee', providerRef: 'ref', claimUrl: 'https://rail.example/claim/1' } as const;

describe('the link of a payout that waits for its payee', () => {
  let world: MoneyWorld;
  let client: Client;
  beforeAll(async () => {
    world = await startMoneyWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(() => world.rail.reset());

  const waiting = async (): Promise<Payout> => {
    world.rail.answers = () => WAITS;
    const { id } = await world.pay(client, await world.payee(client, { country: 'DE' }));
    await world.drive(id);
    const payout = await world.payout(id);
    expect(payout).toMatchObject({ status: 'submitted', claimUrl: WAITS.claimUrl });
    return payout;
  };
  const hears = async ({ id }: Payout, fact: LookupFact): Promise<Payout> =>
    world.get(AskRail).apply(await world.payout(id), fact);

  test('is gone once it is claimed, and a late word of it brings it back no more', async () => {
    const payout = await waiting();
    const claimed = await hears(payout, { kind: 'claimed', providerRef: 'ref' });
    expect(claimed).toMatchObject({ status: 'submitted', claimUrl: null, claimedAt: expect.any(Date) });
    expect(await hears(payout, WAITS)).toMatchObject({ claimUrl: null, sequence: claimed.sequence });
  });

  test('is gone once it is paid', async () => {
    expect(await hears(await waiting(), settled() as LookupFact)).toMatchObject({ status: 'paid', claimUrl: null });
  });

  test('is gone once it expired: the payout failed for good, and says why', async () => {
    const payout = await waiting();
    const fact = { kind: 'refused', failure: 'expired', reason: 'nobody came in 30 days' } as const;
    expect(await hears(payout, fact)).toMatchObject({
      ...{ status: 'failed', failureKind: 'permanent', claimUrl: null },
      statusReason: 'claim_expired: nobody came in 30 days',
    });
  });
});

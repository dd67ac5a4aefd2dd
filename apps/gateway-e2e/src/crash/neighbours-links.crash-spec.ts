/** Adyen allows few links to its onboarding pages: one too many of one client's payee keeps no payout of another client back. */
import { randomUUID } from 'node:crypto';
import { newClient } from '../harness/api';
import { browse } from '../harness/browse';
import { RailRun } from '../harness/rail-run';

const RAIL = 'custodial_b';
const LINKS = { method: 'POST', path: '/lem/v4/legalEntities/', contains: 'onboardingLinks' };

describe('custodial_b, when a client asks for more onboarding links than Adyen gives', () => {
  let run: RailRun;

  beforeAll(async () => {
    run = await RailRun.start(RAIL, { CUSTODIAL_B_TIMEOUT_MS: '2500' });
  });
  afterAll(() => run.stop());

  it('pays the payees of another client meanwhile', async () => {
    const ada = await run.person(`AH_${randomUUID()}`);
    const shop = await newClient({ testMode: false, webhookUrl: 'https://shop.example/hook' });
    const grace = await shop.payee({ country: 'DE', name: 'Grace Hopper' });
    const { body } = await shop.post(`/payees/${grace.id}/onboarding-link`, { returnUrl: 'https://shop.example/back' });
    await run.sandbox.fault(RAIL, { effect: 'too_many', match: LINKS, seconds: 60, times: 1_000 });
    await browse(body.url, 'POST');
    const { id } = await run.pay(ada, 2_005);
    await run.readsPaid(id);
  });
});

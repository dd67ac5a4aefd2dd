/** Every reason of the catalogue: what brings it about, what callers read, and the remedy that clears it. */
import { randomUUID } from 'node:crypto';
import { REASONS } from '#libs/domain';
import { type ApiClient, eventually, type Json, newClient, operator, underTest } from '../harness/api';
import { query } from '../harness/database';
import { expectReleased, expectStillHeld, makeHeld } from '../harness/holds';
import {
  atTheRail,
  deposit,
  fundRail,
  payeeWithAccount,
  prepaidClient,
  putRoutes,
  reachesStatus,
  readPayout,
  reasonOf,
  stepsOf,
} from '../harness/money';

describe('holds', () => {
  let live: ApiClient;
  let test_: ApiClient;
  const shown = new Set<string>();

  beforeAll(async () => {
    await putRoutes();
    live = await newClient({ testMode: false });
    test_ = await newClient();
  });
  afterAll(() => {
    // Every row of the catalogue was brought about by one of these tests, but for what disputes bring about.
    expect(Object.keys(REASONS).filter((code) => !shown.has(code))).toEqual(['paid_after_all']);
  });

  const payeeIn = (country: string | null, fields: Json = {}): Promise<Json> => live.payee({ country, ...fields });

  async function expectHeld(client: ApiClient, payeeId: string, reason: string, fields = {}): Promise<Json> {
    shown.add(reason);
    return makeHeld(client, payeeId, reason, fields);
  }

  test.each<[string, Json, Json]>([
    ['missing_email', { email: null }, { email: 'ada@example.com' }],
    ['missing_country', { country: null }, { country: 'DE' }],
    ['missing_name', { name: null }, { name: 'Ada Lovelace' }],
  ])('%s, until it is set', async (reason, missing, remedy) => {
    const payee = await payeeIn('DE', missing);
    const held = await expectHeld(live, payee.id, reason);
    await expectStillHeld(live, held, reason);
    await live.post('/payees', { externalId: payee.externalId, ...remedy });
    await expectReleased(live, held);
  });

  test('the first of several reasons is the one that is told, and the next one follows it', async () => {
    const payee = await payeeIn(null, { email: null, name: null });
    const held = await expectHeld(live, payee.id, 'missing_email', { amountCents: 5_000_000 });
    for (const [change, next] of [
      [{ email: 'ada@example.com' }, 'missing_country'],
      [{ country: 'DE' }, 'missing_name'],
      [{ name: 'Ada' }, 'cap_exceeded_single'],
    ] as const) {
      await live.post('/payees', { externalId: payee.externalId, ...change });
      await expectStillHeld(live, held, next);
    }
  });

  test('a name is not asked for in test mode', async () => {
    const payee = await test_.payablePayee({ name: null });
    expect((await test_.payout(payee.id)).body.status).toBe('paid');
  });

  test('route_blocked: the operator blocks a payee, and lifts it', async () => {
    const payee = await payeeIn('DE');
    const block = await operator('PATCH', `/payees/${payee.id}`, { blocked: true, blockReason: 'a list' });
    expect(block.body).toMatchObject({ id: payee.id, clientId: live.id, blocked: true, blockReason: 'a list' });
    const held = await expectHeld(live, payee.id, 'route_blocked');
    expect((await live.get(`/payees/${payee.id}/readiness`)).body.blockers).toContain('route_blocked');
    expect(JSON.stringify((await live.get(`/payees/${payee.id}`)).body)).not.toContain('a list');
    await operator('PATCH', `/payees/${payee.id}`, { blocked: false });
    await expectReleased(live, held);
    const { body: audit } = await operator('GET', `/audit?clientId=${live.id}`);
    expect(audit.data.find(({ target }: Json) => target === payee.id)).toMatchObject({
      action: 'payee.unblocked',
      before: { blocked: true, blockReason: 'a list' },
      after: { blocked: false, blockReason: null },
    });
  });

  test('route_blocked: a country that is blocked', async () => {
    await expectHeld(live, (await payeeIn('KP')).id, 'route_blocked');
  });

  test('no_rail, until the country is right', async () => {
    const payee = await payeeIn('US');
    const held = await expectHeld(live, payee.id, 'no_rail');
    expect(held.provider).toBeNull();
    await live.post('/payees', { externalId: payee.externalId, country: 'DE' });
    expect((await expectReleased(live, held)).provider).toBe('claim_rail');
  });

  test('a rail that is not built fails the payout for good', async () => {
    const { status, body } = await live.payout((await payeeIn('BR')).id);
    expect([status, body.status, body.failureKind, body.retryable]).toEqual([201, 'failed', 'permanent', false]);
    expect((await readPayout(live, body.id)).statusReason).toBe('provider_future_rail_not_implemented');
  });

  test('provider_not_configured', async () => {
    await expectHeld(live, (await payeeIn('JP')).id, 'provider_not_configured', { currency: 'JPY' });
  });

  test('rail_not_allowed, until the list is widened', async () => {
    const narrow = await newClient({ testMode: false, railAllowList: ['swap_rail'] });
    const payee = await narrow.payee({ country: 'DE' });
    const held = await expectHeld(narrow, payee.id, 'rail_not_allowed');
    await operator('PATCH', `/clients/${narrow.id}`, { railAllowList: ['swap_rail', 'claim_rail'] });
    await expectReleased(narrow, held);
  });

  test('provider_not_supported: the account is on a rail that does not serve the country', async () => {
    const payee = await payeeWithAccount(live, 'custodial_a', undefined, { country: 'JP' });
    const held = await expectHeld(live, payee.id, 'provider_not_supported');
    await live.post('/payees', { externalId: payee.externalId, country: 'FR' });
    await expectReleased(live, held);
  });

  test('country_not_supported_by_provider: the account is in another country than the payee', async () => {
    const payee = await payeeWithAccount(live, 'custodial_a', `acct_in_FR_${randomUUID()}`, { country: 'DE' });
    const held = await expectHeld(live, payee.id, 'country_not_supported_by_provider');
    await live.post('/payees', { externalId: payee.externalId, country: 'FR' });
    await expectReleased(live, held);
  });

  test.each([
    ['currency_not_supported', 'custodial_a', 'FR', { currency: 'JPY' }],
    ['below_min_payout', 'custodial_a', 'FR', { currency: 'GBP', amountCents: 199 }], // its least in pounds
    ['amount_not_supported', 'custodial_a', 'FR', { currency: 'GBP', amountCents: 900_001 }],
    ['amount_not_supported', 'custodial_b', 'CH', { currency: 'HUF', amountCents: 200_050 }], // whole forints only
  ])('%s on %s in %s: %j', async (reason, rail, country, fields) => {
    await expectHeld(live, (await payeeWithAccount(live, rail, undefined, { country })).id, reason, fields);
  });

  test('not_payable, until onboarding is finished', async () => {
    const payee = await test_.payee();
    const held = await expectHeld(test_, payee.id, 'not_payable');
    await test_.post(`/test/payees/${payee.id}/onboarding`, { outcome: 'verified' });
    await expectReleased(test_, held, ['paid']);
  });

  test('not_payable: an account that the rail restricts, until the rail says otherwise', async () => {
    const account = `acct_restricted_${randomUUID()}`;
    const payee = await payeeWithAccount(live, 'custodial_b', account, { country: 'CH' });
    const held = await expectHeld(live, payee.id, 'not_payable', { amountCents: 3_000 });
    await query(
      underTest().databaseUrl,
      `INSERT INTO rail_records (rail, key, value) VALUES ('custodial_b', $1, '{"payable":true}')`,
      [`account:${account}`],
    );
    await query(underTest().databaseUrl, `UPDATE methods SET ask_at = now() WHERE payee_id = $1`, [payee.id]);
    const { body } = await operator('POST', '/jobs/payability/run');
    expect(body).toMatchObject({ name: 'payability', did: { changed: expect.any(Number) } });
    await eventually(
      () => live.get(`/payees/${payee.id}`),
      ({ body: now }) => now.payable === true,
    );
    await expectReleased(live, held);
  });

  test('cap_exceeded_single, until the cap is raised', async () => {
    const capped = await newClient({ caps: { singleCents: 500 } });
    const payee = await capped.payablePayee();
    const held = await expectHeld(capped, payee.id, 'cap_exceeded_single', { amountCents: 501 });
    await expectStillHeld(capped, held, 'cap_exceeded_single');
    await operator('PATCH', `/clients/${capped.id}`, { caps: { singleCents: 501 } });
    await expectReleased(capped, held, ['paid']);
  });

  test('the caps of the deployment stand where a client has none', async () => {
    const payee = await test_.payablePayee();
    expect((await test_.payout(payee.id, { amountCents: 1_000_000 })).body.status).toBe('paid');
    await expectHeld(test_, payee.id, 'cap_exceeded_single', { amountCents: 1_000_001 });
    expect((await test_.payout(payee.id, { amountCents: 1_000_000 })).body.status).toBe('paid');
    await expectHeld(test_, payee.id, 'cap_exceeded_daily', { amountCents: 500_001 });
    expect((await test_.payout(payee.id, { amountCents: 500_000 })).body.status).toBe('paid');
  });

  test('cap_exceeded_daily counts what passed today, by payee and currency, and nothing that is held or failed', async () => {
    const capped = await newClient({ caps: { dailyCents: 1_000 } });
    const payee = await capped.payablePayee();
    await capped.payout(payee.id, { amountCents: 700, reason: 'mock:fail_permanent' });
    const paid = (await capped.payout(payee.id, { amountCents: 1_000 })).body;
    expect(paid.status).toBe('paid');
    const held = await expectHeld(capped, payee.id, 'cap_exceeded_daily', { amountCents: 100 });
    await capped.post(`/test/payouts/${paid.id}/return`); // it left today all the same
    await expectStillHeld(capped, held, 'cap_exceeded_daily');
    expect((await capped.payout(payee.id, { amountCents: 1_000, currency: 'EUR' })).body.status).toBe('paid');
    expect((await capped.payout((await capped.payablePayee()).id, { amountCents: 1_000 })).body.status).toBe('paid');
  });

  test('below_min_payout, which a release passes over', async () => {
    const payee = await test_.payablePayee();
    await expectReleased(test_, await expectHeld(test_, payee.id, 'below_min_payout', { amountCents: 99 }), ['paid']);
  });

  test.each([
    ['DE', 'claim_rail', 100],
    ['IT', 'swap_rail', 500],
    ['FR', 'custodial_a', 100],
    ['CH', 'custodial_b', 2_000],
  ])('in %s the floor of %s is %i', async (country, rail, floor) => {
    const custodial = rail.startsWith('custodial');
    const payee = custodial ? await payeeWithAccount(live, rail, undefined, { country }) : await payeeIn(country);
    await expectHeld(live, payee.id, 'below_min_payout', { amountCents: floor - 1 });
    const reaches = await live.payout((custodial ? payee : await payeeIn(country)).id, { amountCents: floor });
    expect(reaches.body).toMatchObject({ status: 'authorized', provider: rail });
  });

  test('insufficient_funds: the wallet, until it is filled', async () => {
    const poor = await prepaidClient(0);
    const payee = await poor.payablePayee();
    const held = await expectHeld(poor, payee.id, 'insufficient_funds', { amountCents: 500 });
    await expectStillHeld(poor, held, 'insufficient_funds');
    await deposit(poor, 500);
    await reachesStatus(poor, held.id, 'paid');
  });

  test('insufficient_funds: a custodial rail without funds of its own holds', async () => {
    const payee = await payeeWithAccount(live, 'custodial_a', undefined, { country: 'FR' });
    await fundRail('custodial_a', 'GBP', 50);
    const { id } = (await live.payout(payee.id, { currency: 'GBP' })).body;
    const held = await reachesStatus(live, id, 'held');
    expect([reasonOf(held), held.failureKind]).toEqual(['insufficient_funds', 'transient']);
    await fundRail('custodial_a', 'GBP', 5_000);
    const { body } = await operator('POST', '/jobs/release/run');
    expect(body.did).toMatchObject({ railsFunded: expect.any(Number) }); // none where the schedule came first
    const { events } = await reachesStatus(live, id, 'paid');
    expect(events.find(({ type }: Json) => type === 'release')).toMatchObject({ actor: 'system', fromStatus: 'held' });
  });

  test('rail_out_of_funds: a custody-free rail without funds fails for now, and the service tries again', async () => {
    await fundRail('claim_rail', 'SEK', 50);
    const payee = await payeeIn('DE');
    const { id } = (await live.payout(payee.id, { currency: 'SEK' })).body;
    const failed = await reachesStatus(live, id, 'failed');
    expect([reasonOf(failed), failed.failureKind, failed.retryable]).toEqual(['rail_out_of_funds', 'transient', true]);
    shown.add('rail_out_of_funds');
    await fundRail('claim_rail', 'SEK', 5_000);
    const { databaseUrl } = underTest();
    const [job] = await query<{ soon: boolean }>(
      databaseUrl,
      `UPDATE jobs SET run_at = now() WHERE name = 'payout.retry' AND entity_id = $1
       RETURNING run_at - created_at < interval '61 seconds' AS soon`,
      [id],
    );
    expect(job?.soon).toBe(true);
    const again = await reachesStatus(live, id, 'submitted');
    expect(stepsOf(again)).toContain('failed retry submitted');
    expect(again.events.find(({ type }: Json) => type === 'retry').actor).toBe('system');
  });

  test('unsupported_country: old holds that carry it can be released', async () => {
    const payee = await payeeIn('US');
    const held = await expectHeld(live, payee.id, 'no_rail');
    const { databaseUrl } = underTest();
    await query(databaseUrl, `UPDATE payouts SET status_reason = 'unsupported_country' WHERE id = $1`, [held.id]);
    expect(reasonOf(await readPayout(live, held.id))).toBe('unsupported_country');
    shown.add('unsupported_country');
    await live.post('/payees', { externalId: payee.externalId, country: 'DE' });
    await expectReleased(live, held);
  });

  test('authorized_payout_missing_provider: an authorized payout that lost its rail fails', async () => {
    const payee = await payeeIn('US');
    const held = await expectHeld(live, payee.id, 'no_rail');
    const { databaseUrl } = underTest();
    await query(databaseUrl, `UPDATE payouts SET status = 'authorized', status_reason = NULL WHERE id = $1`, [held.id]);
    await query(databaseUrl, `INSERT INTO jobs (name, entity_id, lane) VALUES ('payout.drive', $1, '')`, [held.id]);
    const failed = await reachesStatus(live, held.id, 'failed');
    expect(failed.statusReason).toBe('authorized_payout_missing_provider');
    shown.add('authorized_payout_missing_provider');
  });

  test('rail_refused, given_up, cancelled_by_client, bank_returned and claim_expired', async () => {
    const payee = await test_.payablePayee();
    const refused = (await test_.payout(payee.id, { reason: 'mock:fail_transient' })).body;
    expect(reasonOf(await readPayout(test_, refused.id))).toBe('rail_refused');
    const { body: given } = await operator('POST', `/payouts/${refused.id}/fail`, { reason: 'paid by hand' });
    expect(given).toMatchObject({ status: 'failed', statusReason: 'given_up: paid by hand' });
    const held = (await test_.payout(payee.id, { reason: 'mock:hold_no_rail' })).body;
    await test_.post(`/payouts/${held.id}/cancel`);
    expect(reasonOf(await readPayout(test_, held.id))).toBe('cancelled_by_client');
    const returned = (await test_.payout(payee.id, { reason: 'mock:return' })).body;
    expect(reasonOf(await reachesStatus(test_, returned.id, 'returned'))).toBe('bank_returned');
    const { id } = (await live.payout((await payeeIn('DE')).id)).body;
    await reachesStatus(live, id, 'submitted');
    await atTheRail(id, { state: 'refused', failure: 'expired', reason: 'nobody came' });
    expect(reasonOf(await reachesStatus(live, id, 'failed'))).toBe('claim_expired');
    for (const it of ['rail_refused', 'given_up', 'cancelled_by_client', 'bank_returned', 'claim_expired'])
      shown.add(it);
  });
});

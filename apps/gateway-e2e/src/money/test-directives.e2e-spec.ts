/** Each state a payout can be in, asked for by a test client in its reason. */
import { REASONS } from '#libs/domain';
import { type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import { reachesStatus, readPayout, reasonOf, stepsOf } from '../harness/money';

const HELD = Object.entries(REASONS).flatMap(([code, { state }]) => (state === 'held' ? [code] : []));

const LEG = {
  key: expect.stringMatching(/^gw/) as string,
  sends: 1,
  firstSentAt: expect.any(String) as string,
  toSend: false,
  notBefore: null,
  over: true,
  awaitsPayee: false,
  destination: null,
  refusal: null,
};

describe('a test client', () => {
  let client: ApiClient;
  let second: ApiClient;
  let payee: Json;
  beforeAll(async () => {
    client = await newClient();
    second = await newClient({ statusVersion: 2 });
    payee = await client.payablePayee();
  });

  const asked = async (reason: string, of = client): Promise<Json> => {
    const { id } = of === client ? payee : await of.payablePayee();
    const { status, body } = await of.payout(id, { reason });
    expect(status).toBe(201);
    return body;
  };

  test.each(HELD)('holds a payout for %s until it is released', async (code) => {
    const { id, status } = await asked(`mock:hold_${code}`);
    expect(status).toBe('held');
    expect(reasonOf(await readPayout(client, id))).toBe(code);
    const released = await client.post(`/payouts/${id}/release`, {});
    expect(released).toMatchObject({ status: 200, body: { status: 'paid' } });
  });

  test('has a payout wait behind a link until it is claimed, and then settled', async () => {
    const { id, status } = await asked('mock:claim', second);
    expect(status).toBe('awaiting_withdraw');
    const to = (step: string): Promise<Json> => second.post(`/test/payouts/${id}/${step}`, {});
    expect(await to('claim')).toMatchObject({ status: 200, body: { status: 'sent' } });
    expect(await to('settle')).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(stepsOf(await readPayout(second, id))).toHaveLength(6);
  });

  const legsOf = async (id: string): Promise<Json[]> => (await operator('GET', `/payouts/${id}`)).body.legs as Json[];

  test.each(['swap', 'swap_timeout'])('has a payout wait for its payee to say where it goes: %s', async (word) => {
    const { id, status } = await asked(`mock:${word}`, second);
    expect(status).toBe('awaiting_withdraw');
    expect(await legsOf(id)).toMatchObject([{ name: 'drain', awaitsPayee: true, sends: 0, destination: null }]);
    const claim = (destination?: string): Promise<Json> => second.post(`/test/payouts/${id}/claim`, { destination });
    expect((await claim('elsewhere')).body).toMatchObject({ error: 'destination_refused' });
    expect(await claim(' Mock_Ada ')).toMatchObject({ status: 200, body: { status: 'awaiting_withdraw' } });
    expect(await claim('mock_ada')).toMatchObject({ status: 200 });
    expect((await claim('mock_eve')).body.error).toBe('destination_fixed');
    const paid = await reachesStatus(second, id, 'paid');
    expect(await legsOf(id)).toEqual([{ ...LEG, name: 'drain', answer: 'settled', destination: 'mock_ada' }]);
    expect(stepsOf(paid).slice(-2)).toEqual([
      'awaiting_withdraw claim awaiting_withdraw',
      'awaiting_withdraw settle paid',
    ]);
    expect(await claim()).toMatchObject({ status: 200, body: { status: 'paid' } });
  });

  test('has a payout settle that waits for its payee to say where it goes', async () => {
    const { id } = await asked('mock:swap', second);
    expect(await second.post(`/test/payouts/${id}/settle`, {})).toMatchObject({ body: { status: 'paid' } });
  });

  test('has an address refused, and the payee says where to anew', async () => {
    const { id } = await asked('mock:swap_refused', second);
    await second.post(`/test/payouts/${id}/claim`, { destination: 'mock_ada' });
    const legs = await eventually(
      () => legsOf(id),
      (all) => all.length === 2,
    );
    expect(legs).toMatchObject([
      { answer: 'refused', destination: 'mock_ada', over: true, refusal: expect.any(String) as string },
      { awaitsPayee: true, over: false },
    ]);
    expect((await readPayout(second, id)).status).toBe('awaiting_withdraw');
    await second.post(`/test/payouts/${id}/claim`, { destination: 'mock_eve' });
    await reachesStatus(second, id, 'paid');
    expect((await legsOf(id)).map(({ destination }) => destination)).toEqual(['mock_ada', 'mock_eve']);
  });

  test('claims no payout that waits for nobody, and enters no address where none is asked for', async () => {
    for (const reason of ['mock:pending', 'mock:claim']) {
      const { id } = await asked(reason, second);
      const { status, body } = await second.post(`/test/payouts/${id}/claim`, { destination: 'mock_ada' });
      expect([status, body.error]).toEqual([409, 'illegal_transition']);
    }
  });

  test('has a payout settle after a while, and one come back', async () => {
    const [slow, later] = [await asked('mock:slow'), await asked('mock:bounce_later')];
    expect([slow.status, later.status]).toEqual(['submitted', 'paid']);
    await reachesStatus(client, slow.id, 'paid');
    const { liftingFeeCents } = await reachesStatus(client, later.id, 'returned');
    expect(liftingFeeCents).toBe(25);
  });

  test.each(['two_legs', 'leg_timeout'])('has a payout take a second call: %s', async (word) => {
    const { id, status } = await asked(`mock:${word}`);
    expect(status).toBe('submitted');
    const paid = await reachesStatus(client, id, 'paid');
    expect(stepsOf(paid)).toEqual([
      'null create requested',
      'requested route authorized',
      'authorized submit submitted',
      'submitted settle paid',
    ]);
    expect(paid).not.toHaveProperty('legs');
    const { legs, attempts } = (await operator('GET', `/payouts/${id}`)).body;
    expect([legs, attempts]).toEqual([[{ ...LEG, name: 'payout', answer: 'settled' }], 2]);
  });

  test('has a second call refused, after which the money is pulled back, and the payout may be tried again', async () => {
    const { id } = await asked('mock:leg_refused');
    const failed = await reachesStatus(client, id, 'failed');
    expect([failed.failureKind, failed.retryable, reasonOf(failed)]).toEqual(['transient', true, 'rail_refused']);
    await client.post(`/payouts/${id}/retry`, {});
    const legs = await eventually(
      async () => (await operator('GET', `/payouts/${id}`)).body.legs as Json[],
      (all) => all.length === 4 && all.every(({ over }) => over),
    );
    expect(legs.map(({ name, answer }) => [name, answer])).toEqual([
      ['payout', 'accepted'],
      ['pull_back', 'refused'],
      ['payout', 'accepted'],
      ['pull_back', 'refused'],
    ]);
    expect(new Set(legs.map(({ key }) => key)).size).toBe(4);
  });

  test('is told of a directive that does not exist, with those that do', async () => {
    const reason = 'mock:unheard_of';
    const { status, body } = await client.payout(payee.id, { reason });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
    const [field] = body.details.fields as Json[];
    expect(field.path).toBe('reason');
    for (const word of ['mock:claim', 'mock:swap', 'mock:slow', 'mock:bounce_later', 'mock:hold_not_payable'])
      expect(field.message).toContain(word);
    const row = { payeeId: payee.id, amountCents: 100, currency: 'USD', reason };
    const batch = await client.post('/payouts/batch', { idempotencyKey: `batch-${payee.id}`, items: [row] });
    expect(batch.body.results[0]).toMatchObject({ status: 'error', error: 'invalid_row' });
    const push = await client.post('/disbursements', { items: [{ ...row, externalRef: `row-${payee.id}` }] });
    expect(push.body.results[0]).toMatchObject({ status: 'error', error: 'invalid_row' });
  });
});

test('the reason of a live payout is free text', async () => {
  const live = await newClient({ testMode: false });
  const { id } = await live.payee();
  const { status, body } = await live.payout(id, { reason: 'mock:hold_cap_exceeded_daily' });
  expect(status).toBe(201);
  expect(reasonOf(await readPayout(live, body.id))).not.toBe('cap_exceeded_daily');
});

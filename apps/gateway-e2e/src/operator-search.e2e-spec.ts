/** Operators look for a payout by what its payee, its caller or its provider has in hand. */
import { type ApiClient, type Json, newClient, operator } from './harness/api';
import { owe } from './harness/owed';

describe('searching payouts', () => {
  test('finds a payout by what somebody has in hand of it, and its caller cannot', async () => {
    const [mine, others] = [await newClient(), await newClient()];
    const pay = async (client: ApiClient): Promise<Json> => {
      const payee = await client.payablePayee();
      const { body } = await client.payout(payee.id, { idempotencyKey: 'the same' });
      return (await operator('GET', `/payouts/${body.id}`)).body;
    };
    const [payout, another] = [await pay(mine), await pay(others)];
    const found = async (search: string): Promise<string[]> =>
      (await operator('GET', `/payouts?${search}`)).body.data.map(({ id }: Json) => id);
    expect(await found(`providerRef=${payout.providerRef}`)).toEqual([payout.id]);
    expect(await found(`railKey=${payout.railKey}`)).toEqual([payout.id]);
    expect(await found(`idempotencyKey=the%20same&clientId=${mine.id}`)).toEqual([payout.id]);
    expect(await found('idempotencyKey=the%20same')).toEqual(expect.arrayContaining([payout.id, another.id]));
    expect(await found(`railKey=${payout.railKey}&clientId=${others.id}`)).toEqual([]);
    expect((await mine.get(`/payouts?railKey=${payout.railKey}`)).body.error).toBe('invalid_request');
  });

  test('finds an amount, and begins with the oldest if asked to, page by page', async () => {
    const client = await newClient();
    const payee = await client.payablePayee();
    const ids: string[] = [];
    for (const amountCents of [300, 700, 300, 300])
      ids.push((await client.payout(payee.id, { amountCents })).body.id as string);
    const page = async (search: string): Promise<Json> =>
      (await operator('GET', `/payouts?clientId=${client.id}&${search}`)).body;
    const found = async (search: string): Promise<string[]> => (await page(search)).data.map(({ id }: Json) => id);
    const [first, , third, last] = ids;
    expect(await found('amountCents=300')).toEqual([last, third, first]);
    expect(await found('amountCents=300&order=oldest')).toEqual([first, third, last]);
    const { nextCursor } = await page('order=oldest&limit=2');
    expect(await found(`order=oldest&limit=2&cursor=${nextCursor}`)).toEqual([third, last]);
    expect(await found(`order=oldest&cursor=${nextCursor}&createdTo=2000-01-01T00:00:00Z`)).toEqual([]);
    for (const bad of ['amountCents=300', 'amountCents=3.00', 'amountCents=-1', 'amountCents=', 'order=up'])
      expect((await operator('GET', `/payouts?${bad}`)).body.error).toBe('invalid_request');
    for (const theirs of ['amountCents=300', 'order=oldest'])
      expect((await client.get(`/payouts?${theirs}`)).body.error).toBe('invalid_request');
  });

  test('finds what is held or failed for a reason', async () => {
    const client = await newClient();
    const payee = await client.payablePayee();
    const paidFor = async (reason: string): Promise<string> => (await client.payout(payee.id, { reason })).body.id;
    const [held, failed] = [await paidFor('mock:hold_no_rail'), await paidFor('mock:fail_permanent')];
    await paidFor('mock:hold_not_payable');
    const found = async (search: string): Promise<string[]> =>
      (await operator('GET', `/payouts?clientId=${client.id}&${search}`)).body.data.map(({ id }: Json) => id);
    expect(await found('reasonCode=no_rail')).toEqual([held]);
    expect(await found('reasonCode=rail_refused')).toEqual([failed]);
    expect(await found('reasonCode=rail_refused&status=held')).toEqual([]);
    expect((await operator('GET', '/payouts?reasonCode=no_rail')).status).toBe(200);
    for (const bad of ['reasonCode=rail_refused', `reasonCode=no_rial&clientId=${client.id}`, 'reasonCode=toString'])
      expect((await operator('GET', `/payouts?${bad}`)).body.error).toBe('invalid_request');
  });

  test('refuses a cursor that is none, by the name which the page itself gave it', async () => {
    const client = await newClient();
    const unchanged = (name: string): Json => ({
      error: 'invalid_cursor',
      message: `Use ${name} of the page before, unchanged.`,
    });
    for (const taken of ['cursor', 'cursor2'])
      expect((await operator('GET', `/payouts?${taken}=x`)).body).toEqual(unchanged('nextCursor'));
    expect((await client.get('/payouts?cursor2=x')).body).toEqual(unchanged('nextCursor2'));
  });
});

describe('searching payees', () => {
  test('finds them by how any word of their name begins, whatever stands in it', async () => {
    const client = await newClient();
    const named = async (name: string): Promise<string> => (await client.payablePayee({ name })).id;
    const [ada, grace, conan] = [
      await named('Ada de Lovelace'),
      await named('Grace Hopper'),
      await named("Conan O'Brien"),
    ];
    const found = async (q: string): Promise<string[]> =>
      (await operator('GET', `/payees?clientId=${client.id}&q=${encodeURIComponent(q)}`)).body.data.map(
        ({ id }: Json) => id,
      );
    for (const q of ['Ada d', 'LOVE', 'lovelace', 'de love', 'ada de l'])
      expect([q, await found(q)]).toEqual([q, [ada]]);
    for (const q of ["o'brien", 'obrien', 'brien', 'conan o', "O'B"]) expect([q, await found(q)]).toEqual([q, [conan]]);
    for (const q of ['hop', '!grace']) expect([q, await found(q)]).toEqual([q, [grace]]);
    const jose = await named('José Muñoz Müller');
    for (const q of ['jose', 'munoz', 'muller', 'MÜLLER']) expect([q, await found(q)]).toEqual([q, [jose]]);
    for (const q of ['opper', 'lovelace ada', 'ada & grace', 'grace | ada', "'", '\\', ':*', "x':* | 'ada"])
      expect([q, await found(q)]).toEqual([q, []]);
  });

  test('shows one of them, whoever pays them, to operators', async () => {
    const client = await newClient();
    const { id } = await client.payablePayee({ name: 'Ada Lovelace' });
    expect((await operator('GET', `/payees/${id}`)).body).toMatchObject({ id, clientId: client.id, blocked: false });
    expect((await operator('GET', `/payees/${id}`)).body.balances).toEqual([]);
    await owe(client, id, [1_500, 500]);
    expect((await operator('GET', `/payees/${id}`)).body.balances).toEqual([
      {
        ...{ currency: 'USD', withdrawableCents: 2_000, landedCents: 0 },
        ...{ onTheWayCents: 0, actionNeededCents: 0, heldBelowMinimumCents: 0 },
      },
    ]);
    for (const none of [client.id, 'nobody'])
      expect(await operator('GET', `/payees/${none}`)).toMatchObject({
        status: 404,
        body: { error: 'payee_not_found' },
      });
  });
});

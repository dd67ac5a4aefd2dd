/** Twenty at once on one thing: exact results, one movement at the rail, no deadlock and no 5xx. */
import { randomUUID } from 'node:crypto';
import { type Answer, type ApiClient, eventually, type Json, newClient, operator } from '../harness/api';
import {
  deposit,
  movementsOf,
  prepaidClient,
  reachesStatus,
  readPayout,
  runJob,
  stepsOf,
  walletOf,
} from '../harness/money';

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const statusesOf = (answers: Answer[]): number[] => [...new Set(answers.map(({ status }) => status))].sort();
const taken = (payout: Json, step: string): number => stepsOf(payout).filter((one) => one === step).length;

describe('races for money', () => {
  let client: ApiClient;
  beforeAll(async () => {
    client = await newClient({ caps: { dailyCents: 1_000_000_000 } });
  });

  test('one key with different bodies is one payout, and conflicts', async () => {
    const payee = await client.payablePayee();
    const idempotencyKey = randomUUID();
    const answers = await times(20, (index) =>
      client.payout(payee.id, { idempotencyKey, amountCents: 100 + (index % 4) }),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(statusesOf(answers)).toEqual([200, 201, 422]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  });

  test('one key for different payees is one payout', async () => {
    const payees = await times(5, () => client.payablePayee());
    const idempotencyKey = randomUUID();
    const answers = await times(20, (index) => client.payout(payees[index % 5].id, { idempotencyKey }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(statusesOf(answers)).toEqual([200, 201, 422]);
  });

  test('one retry 20 times is one submission that pays', async () => {
    const payee = await client.payablePayee();
    const { id } = (await client.payout(payee.id, { reason: 'mock:fail_once' })).body;
    const answers = await times(20, (index) =>
      index % 4 ? client.post(`/payouts/${id}/retry`) : operator('POST', `/payouts/${id}/retry`),
    );
    expect(statusesOf(answers).every((status) => status === 200 || status === 409)).toBe(true);
    const payout = await reachesStatus(client, id, 'paid');
    expect([taken(payout, 'failed retry submitted'), taken(payout, 'submitted settle paid')]).toEqual([1, 1]);
    expect(await movementsOf(id)).toBe(1);
  });

  test('release against sweep against retry: each payout goes on once', async () => {
    const payee = await client.payablePayee();
    const ids = await times(5, async () => (await client.payout(payee.id, { amountCents: 10 })).body.id as string);
    const answers = await times(20, (index) => {
      const id = ids[index % 5] as string;
      if (index < 5) return client.post(`/payouts/${id}/release`);
      if (index < 10) return client.post(`/payouts/${id}/retry`);
      if (index < 15) return client.payout(payee.id, { amountCents: 30 });
      return operator('POST', '/jobs/sweep/run');
    });
    expect(statusesOf(answers).filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    await runJob('sweep');
    for (const id of ids) {
      const payout = await reachesStatus(client, id, 'paid');
      expect(taken(payout, 'held release authorized')).toBe(1);
      expect(await movementsOf(id)).toBe(1);
    }
  });

  test('one wallet: payouts, retries, releases and deposits at once never overdraw it', async () => {
    const poor = await prepaidClient(1_000);
    const payee = await poor.payablePayee();
    const failed = (await poor.payout(payee.id, { amountCents: 300, reason: 'mock:fail_once' })).body.id;
    const answers = await times(20, (index) => {
      if (index % 5 === 0) return poor.post(`/payouts/${failed}/retry`);
      if (index % 5 === 1) return deposit(poor, 50);
      return poor.payout(payee.id, { amountCents: 150 });
    });
    expect(statusesOf(answers).filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
    await runJob('release');
    const { body } = await eventually(
      () => poor.get('/payouts'),
      (page) => page.body.data.every(({ status }: Json) => status === 'paid' || status === 'held'),
    );
    const paid = body.data.filter(({ status }: Json) => status === 'paid');
    const paidCents = paid.reduce((sum: number, { amountCents }: Json) => sum + amountCents, 0);
    const wallet = await walletOf(poor);
    expect(wallet).toMatchObject({
      depositedCents: 1_200,
      paidCents,
      inFlightCents: 0,
      availableCents: 1_200 - paidCents,
    });
    const smallest = Math.min(
      ...body.data.filter(({ status }: Json) => status === 'held').map(({ amountCents }: Json) => amountCents),
    );
    expect(wallet.availableCents).toBeGreaterThanOrEqual(0);
    expect(wallet.availableCents).toBeLessThan(smallest);
  });

  test('one daily cap: what passes never exceeds it, to the cent', async () => {
    const capped = await newClient({ caps: { dailyCents: 1_000 } });
    const payee = await capped.payablePayee();
    const answers = await times(20, () => capped.payout(payee.id, { amountCents: 110 }));
    expect(statusesOf(answers)).toEqual([201]);
    expect(answers.filter(({ body }) => body.status === 'paid')).toHaveLength(9);
    const held = answers.filter(({ body }) => body.status === 'held');
    expect(held).toHaveLength(11);
    await times(20, (index) => capped.post(`/payouts/${held[index % 11]?.body.id}/release`));
    const paid = (await capped.get('/payouts?status=paid')).body.data;
    expect(paid).toHaveLength(9);
  });

  test('20 returns of one payout give the money back once', async () => {
    const poor = await prepaidClient(1_000);
    const payee = await poor.payablePayee();
    const { id } = (await poor.payout(payee.id, { amountCents: 1_000 })).body;
    const answers = await times(20, () => poor.post(`/test/payouts/${id}/return`, { liftingFeeCents: 25 }));
    expect(statusesOf(answers).filter((status) => ![200, 409].includes(status))).toEqual([]);
    expect(taken(await readPayout(poor, id), 'paid bounce returned')).toBe(1);
    expect((await walletOf(poor)).availableCents).toBe(975);
  });

  test('settle and fail at once: one of them', async () => {
    const payee = await client.payablePayee();
    const { id } = (await client.payout(payee.id, { reason: 'mock:pending' })).body;
    const answers = await times(20, (index) =>
      index % 2
        ? client.post(`/test/payouts/${id}/settle`)
        : client.post(`/test/payouts/${id}/fail`, { kind: 'transient' }),
    );
    expect(statusesOf(answers).filter((status) => ![200, 409].includes(status))).toEqual([]);
    const payout = await readPayout(client, id);
    const ended = taken(payout, 'submitted settle paid') + taken(payout, 'submitted refuse failed');
    expect([ended, await movementsOf(id)]).toEqual([1, payout.status === 'paid' ? 1 : 0]);
  });
});

/** Rows of a payout that was sent leave under another code only when its rail says that nothing moved. */
import { randomUUID } from 'node:crypto';
import type { Client } from '#libs/auth';
import type { Payee } from '#libs/payees';
import { DriftReads, RemedyPayout, SendToRail } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled, startMoneyWorld } from '#libs/payouts/testing';
import { DisbursementReads } from './db/disbursement.reads';
import type { Disbursement } from './disbursement';
import { DisbursementsModule } from './disbursements.module';
import { LinkRecovery } from './use-cases/link-recovery';
import { PushDisbursements } from './use-cases/push-disbursements';
import { ReleaseByItself } from './use-cases/release-by-itself';
import { ReleaseOwed } from './use-cases/release-owed';

describe('rows of an earlier payout', () => {
  let world: MoneyWorld;
  let client: Client;
  let payee: Payee;
  beforeAll(async () => {
    world = await startMoneyWorld({
      also: [DisbursementsModule],
      does: (name) => name.startsWith('owed') || name === 'mail.send',
    });
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    payee = await world.payee(client, { country: 'FR' });
    await world.adopt(client, payee);
  });

  const push = async (amountCents: number): Promise<string> => {
    const row = { payeeId: payee.id, amountCents, currency: 'USD', externalRef: randomUUID() };
    const [pushed] = await world.get(PushDisbursements).run(client, [row], false);
    return (pushed as { disbursement: Disbursement }).disbursement.id;
  };
  const withdraw = () => world.get(ReleaseOwed).withdraw(client, payee.id, 'withdraw', 'client');
  const rows = async (...ids: string[]): Promise<string[]> =>
    Promise.all(ids.map(async (id) => (await world.get(DisbursementReads).find(client.id, id))?.status ?? 'gone'));
  /** A withdrawal that its rail refuses. */
  const refusedWithdrawal = async (failure?: 'permanent'): Promise<{ id: string; railKey: string }> => {
    const [payout] = (await withdraw()).payouts;
    if (!payout) throw new Error('Nothing was withdrawn.');
    world.rail.answers = () => refused(failure);
    await world.drive(payout.id);
    world.rail.answers = null;
    return payout;
  };
  const driftOf = async (payoutId: string) =>
    (await world.get(DriftReads).list({ open: true }, null, 100)).filter((row) => row.payoutId === payoutId);

  test('stay with it when the rail settled it after all, and the new row leaves alone', async () => {
    const first = await push(6_000);
    const { id, railKey } = await refusedWithdrawal();
    expect(await rows(first)).toEqual(['owed']);
    world.rail.knows.set(railKey, settled());
    const second = await push(1_000);
    const { payouts } = await withdraw();
    expect(payouts.map(({ amountCents }) => amountCents)).toEqual([1_000]);
    expect(await rows(first, second)).toEqual(['paid', 'released']);
    expect(await world.status(id)).toBe('paid');
  });

  test('stay owed while the rail cannot be asked, and a withdrawal of nothing else says so', async () => {
    const first = await push(6_000);
    const { railKey } = await refusedWithdrawal();
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    await expect(withdraw()).rejects.toMatchObject({
      code: 'nothing_to_withdraw',
      message: expect.stringContaining('rail') as string,
    });
    const second = await push(1_000);
    expect((await withdraw()).payouts.map(({ amountCents }) => amountCents)).toEqual([1_000]);
    expect(await rows(first, second)).toEqual(['owed', 'released']);
    world.rail.knows.set(railKey, refused());
    expect((await withdraw()).payouts.map(({ amountCents }) => amountCents)).toEqual([6_000]);
  });

  test('are nothing that another client has a rail asked about', async () => {
    await push(6_000);
    const { railKey } = await refusedWithdrawal();
    const stranger = await world.client();
    const asked = world.get(ReleaseOwed).withdraw(stranger, payee.id, 'withdraw', 'client');
    await expect(asked).rejects.toMatchObject({ code: 'payee_not_found' });
    expect(world.rail.asked.filter((order) => order.railKey === railKey)).toEqual([]);
  });

  test('leave together with others once the rail said no again', async () => {
    await push(6_000);
    const { id, railKey } = await refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    await push(1_000);
    const [payout] = (await withdraw()).payouts;
    expect(payout?.amountCents).toBe(7_000);
    expect(payout?.railKey).not.toBe(railKey);
    expect(await world.payout(id)).toMatchObject({ status: 'failed', supersededBy: payout?.id });
  });

  test('do not leave when the payout changed between the question and the withdrawal', async () => {
    const first = await push(6_000);
    const { id, railKey } = await refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const asking = withdraw();
    await world.rail.lookingUp(railKey);
    world.rail.lookupGate = Promise.resolve();
    world.rail.answers = () => accepted();
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    answer();
    await expect(asking).rejects.toMatchObject({ code: 'nothing_to_withdraw' });
    expect(await rows(first)).toEqual(['released']);
  });

  test('do not leave when the payout was sent once more, and refused, while the rail was asked', async () => {
    const first = await push(6_000);
    const { id, railKey } = await refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    await push(1_000);
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const asking = withdraw();
    await world.rail.lookingUp(railKey);
    world.rail.lookupGate = Promise.resolve();
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    world.rail.answers = () => refused();
    await world.drive(id);
    world.rail.answers = null;
    expect(await world.payout(id)).toMatchObject({ status: 'failed', attempt: 2 });
    // What it refused now it will accept after all; the answer that was asked for speaks of the first try.
    world.rail.knows.set(railKey, accepted());
    answer();
    expect((await asking).payouts.map(({ amountCents }) => amountCents)).toEqual([1_000]);
    expect(await rows(first)).toEqual(['owed']);
  });

  test('that an operator gave up wait for that operator if the rail settled it', async () => {
    const first = await push(6_000);
    const { id, railKey } = await refusedWithdrawal();
    await world.get(RemedyPayout).giveUp(await world.payout(id), 'by hand');
    world.rail.knows.set(railKey, settled());
    await expect(withdraw()).rejects.toMatchObject({ code: 'nothing_to_withdraw' });
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    expect(await driftOf(id)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    expect(await rows(first)).toEqual(['owed']);
    // However often: until it is resolved.
    await push(1_000);
    expect((await withdraw()).payouts.map(({ amountCents }) => amountCents)).toEqual([1_000]);
  });

  test('under the same code: the news of the old payout are those of the new one, once that was sent', async () => {
    await push(6_000);
    const { id, railKey } = await refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    const [again] = (await withdraw()).payouts;
    expect(again?.railKey).toBe(railKey);
    world.later(world.drive(again?.id ?? ''));
    await world.rail.call(2);
    world.rail.knows.set(railKey, settled());
    await world.get(SendToRail).lookUp(await world.payout(id));
    expect(await driftOf(id)).toEqual([]);
    expect(
      await world.db.rows(`SELECT FROM jobs WHERE name = 'payout.look' AND entity_id = $1`, [again?.id]),
    ).toHaveLength(1);
    world.rail.letGo();
  });

  test('under the same code: before the new payout was sent, the news are about the old one', async () => {
    await push(6_000);
    const { id, railKey } = await refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    const [again] = (await withdraw()).payouts;
    world.rail.knows.set(railKey, settled());
    await world.get(SendToRail).lookUp(await world.payout(id));
    expect(await driftOf(id)).toHaveLength(1);
    await world.drive(again?.id ?? '');
    expect(await world.status(again?.id ?? '')).toBe('held');
    await world.get(RemedyPayout).giveUp(await world.payout(again?.id ?? ''), null);
    await expect(withdraw()).rejects.toMatchObject({ code: 'nothing_to_withdraw' });
  });

  test.each([
    ['withdraw', 'suspended'],
    ['withdraw', 'closed'],
    ['retry', 'suspended'],
    ['retry', 'closed'],
  ] as const)('go nowhere by %s when the client is %s meanwhile', async (way, status) => {
    const stranger = await world.client();
    const german = await world.payee(stranger, { country: 'DE' });
    const row = { payeeId: german.id, amountCents: 6_000, currency: 'USD', externalRef: randomUUID() };
    await world.get(PushDisbursements).run(stranger, [row], false);
    const withdrawing = () => world.get(ReleaseOwed).withdraw(stranger, german.id, 'withdraw', 'client');
    world.rail.answers = () => refused(); // the request sends it by itself
    const [first] = (await withdrawing()).payouts;
    if (!first) throw new Error('Nothing was withdrawn.');
    world.rail.answers = () => accepted();
    world.rail.knows.set(first.railKey, refused());
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const failed = await world.payout(first.id);
    const asking = way === 'withdraw' ? withdrawing() : world.get(RemedyPayout).retry(failed, 'client');
    const outcome = asking.catch((error: { code: string }) => error.code);
    await world.rail.lookingUp(first.railKey);
    await world.setStatus(stranger, status);
    answer();
    await outcome;
    expect(world.rail.calls).toHaveLength(1);
  });

  test('a refusal that a rail tells of the old payout does not end the new one of the same code', async () => {
    await push(6_000);
    const { railKey } = await refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    const [again] = (await withdraw()).payouts;
    const sending = world.drive(again?.id ?? '');
    const call = await world.rail.call(2);
    // Asked while the call is under way, the rail still speaks of the first try.
    await world.get(SendToRail).lookUp(await world.payout(again?.id ?? ''));
    expect(await world.status(again?.id ?? '')).toBe('submitted');
    call.answer(accepted());
    await sending;
    expect(await world.payout(again?.id ?? '')).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
  });

  test('what leaves by itself keeps the same rule', async () => {
    payee = await world.payee(client, { country: 'IT' });
    const first = await push(6_000);
    await world.get(ReleaseByItself).ofPayee(payee.id);
    const transactionId = (await world.get(DisbursementReads).find(client.id, first))?.transactionId ?? '';
    world.rail.answers = () => refused();
    await world.drive(transactionId);
    const { railKey } = await world.payout(transactionId);
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    await push(1_000);
    await world.get(ReleaseByItself).ofPayee(payee.id);
    expect(await rows(first)).toEqual(['owed']);
  });

  test('a recovery link takes no rows whose money is in dispute', async () => {
    const first = await push(6_000);
    const { id, railKey } = await refusedWithdrawal('permanent');
    world.rail.knows.set(railKey, settled());
    await world.get(SendToRail).lookUp(await world.payout(id));
    const replacement = await world.pay(client, payee, 6_000);
    world.rail.answers = () => accepted();
    await world.drive(replacement.id);
    const link = { replacementTransactionId: replacement.id, disbursementIds: [first] };
    await expect(world.get(LinkRecovery).run(client, link)).rejects.toMatchObject({
      code: 'superseded_transaction_not_failed',
    });
  });

  test('a recovery link calls no rail, and has it asked soon what became of the old payout', async () => {
    const first = await push(6_000);
    const { id, railKey } = await refusedWithdrawal('permanent');
    const replacement = await world.pay(client, payee, 6_000);
    world.rail.answers = () => accepted();
    await world.drive(replacement.id);
    const asked = world.rail.asked.length;
    const link = { replacementTransactionId: replacement.id, disbursementIds: [first] };
    expect(await world.get(LinkRecovery).run(client, link)).toEqual({ idempotentReplay: false });
    expect(world.rail.asked).toHaveLength(asked);
    world.rail.knows.set(railKey, settled());
    await world.look(id);
    expect(await driftOf(id)).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
  });
});

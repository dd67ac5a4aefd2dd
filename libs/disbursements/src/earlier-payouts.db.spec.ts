/** Rows of a payout that was sent leave under another code only when its rail says that nothing moved. */
import type { Client } from '#libs/clients';
import { DisbursementReads } from '#libs/owed';
import { AskRail, GiveUpPayout, RemedyPayout } from '#libs/payouts';
import { accepted, type MoneyWorld, refused, settled } from '#libs/payouts/testing';
import { OwedScene, startOwedWorld } from '../testing/src';
import { LinkRecovery } from './use-cases/link-recovery';
import { ReleaseByItself } from './use-cases/release-by-itself';
import { ReleaseOwed } from './use-cases/release-owed';

describe('rows of an earlier payout', () => {
  let world: MoneyWorld;
  let client: Client;
  let scene: OwedScene;
  beforeAll(async () => {
    world = await startOwedWorld();
    client = await world.client();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    world.rail.reset();
    scene = await OwedScene.of(world, client);
  });

  test('stay with it when the rail settled it after all, and the new row leaves alone', async () => {
    const first = await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    expect(await scene.statuses(first)).toEqual(['owed']);
    world.rail.knows.set(railKey, settled());
    const second = await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await scene.statuses(first, second)).toEqual(['paid', 'released']);
    expect(await world.status(id)).toBe('paid');
  });

  test('stay owed while the rail cannot be asked, and a withdrawal of nothing else says so', async () => {
    const first = await scene.push(6_000);
    const { railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    await expect(scene.withdraw()).rejects.toMatchObject({
      code: 'nothing_to_withdraw',
      message: expect.stringContaining('rail') as string,
    });
    const second = await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
    expect(await scene.statuses(first, second)).toEqual(['owed', 'released']);
    world.rail.knows.set(railKey, refused());
    expect(await scene.outcome()).toEqual([6_000]);
  });

  test('are nothing that another client has a rail asked about', async () => {
    await scene.push(6_000);
    const { railKey } = await scene.refusedWithdrawal();
    const stranger = await world.client();
    const asked = world.get(ReleaseOwed).withdraw(stranger, scene.payee.id, 'withdraw', 'client');
    await expect(asked).rejects.toMatchObject({ code: 'payee_not_found' });
    expect(world.rail.asked.filter((order) => order.railKey === railKey)).toEqual([]);
  });

  test('leave together with others once the rail said no again', async () => {
    await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    await scene.push(1_000);
    const [payout] = await scene.withdraw();
    expect(payout?.amountCents).toBe(7_000);
    expect(payout?.railKey).not.toBe(railKey);
    expect(await world.payout(id)).toMatchObject({ status: 'failed', supersededBy: payout?.id });
  });

  test('do not leave when the payout changed between the question and the withdrawal', async () => {
    const first = await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const asking = scene.withdraw();
    await world.rail.lookingUp(railKey);
    world.rail.lookupGate = Promise.resolve();
    world.rail.answers = () => accepted();
    await world.get(RemedyPayout).retry(await world.payout(id), 'client');
    answer();
    await expect(asking).rejects.toMatchObject({ code: 'nothing_to_withdraw' });
    expect(await scene.statuses(first)).toEqual(['released']);
  });

  test('do not leave when the payout was sent once more, and refused, while the rail was asked', async () => {
    const first = await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    await scene.push(1_000);
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const asking = scene.withdraw();
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
    expect((await asking).map(({ amountCents }) => amountCents)).toEqual([1_000]);
    expect(await scene.statuses(first)).toEqual(['owed']);
  });

  test('that an operator gave up wait for that operator if the rail settled it', async () => {
    const first = await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    await world.get(GiveUpPayout).run(await world.payout(id), 'by hand');
    world.rail.knows.set(railKey, settled());
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
    expect(await world.payout(id)).toMatchObject({ status: 'failed', failureKind: 'permanent' });
    expect(await scene.openDrift({ id })).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
    expect(await scene.statuses(first)).toEqual(['owed']);
    // However often: until it is resolved.
    await scene.push(1_000);
    expect(await scene.outcome()).toEqual([1_000]);
  });

  test('under the same code: the news of the old payout are those of the new one, once that was sent', async () => {
    await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    const [again] = await scene.withdraw();
    expect(again?.railKey).toBe(railKey);
    world.later(world.drive(again?.id ?? ''));
    await world.rail.call(2);
    world.rail.knows.set(railKey, settled());
    await world.get(AskRail).lookUp(await world.payout(id));
    expect(await scene.openDrift({ id })).toEqual([]);
    expect(await world.status(again?.id ?? '')).toBe('paid');
    world.rail.letGo();
  });

  test('under the same code: before the new payout was sent, the news are about the old one', async () => {
    await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    const [again] = await scene.withdraw();
    world.rail.knows.set(railKey, settled());
    await world.get(AskRail).lookUp(await world.payout(id));
    expect(await scene.openDrift({ id })).toHaveLength(1);
    await world.drive(again?.id ?? '');
    expect(await world.status(again?.id ?? '')).toBe('held');
    await world.get(GiveUpPayout).run(await world.payout(again?.id ?? ''), null);
    expect(await scene.outcome()).toBe('nothing_to_withdraw');
  });

  test.each([
    ['withdraw', 'suspended'],
    ['withdraw', 'closed'],
    ['retry', 'suspended'],
    ['retry', 'closed'],
  ] as const)('go nowhere by %s when the client is %s meanwhile', async (way, status) => {
    const stranger = await world.client();
    const german = await OwedScene.of(world, stranger, 'DE');
    await german.push(6_000);
    world.rail.answers = () => refused(); // the request sends it by itself
    const [first] = await german.withdraw();
    if (!first) throw new Error('Nothing was withdrawn.');
    world.rail.answers = () => accepted();
    world.rail.knows.set(first.railKey, refused());
    let answer: () => void = () => undefined;
    world.rail.lookupGate = new Promise((resolve) => (answer = resolve));
    const failed = await world.payout(first.id);
    const asking = way === 'withdraw' ? german.withdraw() : world.get(RemedyPayout).retry(failed, 'client');
    const outcome = asking.catch((error: { code: string }) => error.code);
    await world.rail.lookingUp(first.railKey);
    await world.setStatus(stranger, status);
    answer();
    await outcome;
    expect(world.rail.calls).toHaveLength(1);
  });

  test('a refusal that a rail tells of the old payout does not end the new one of the same code', async () => {
    await scene.push(6_000);
    const { railKey } = await scene.refusedWithdrawal();
    world.rail.knows.set(railKey, refused());
    const [again] = await scene.withdraw();
    const sending = world.drive(again?.id ?? '');
    const call = await world.rail.call(2);
    // Asked while the call is under way, the rail still speaks of the first try.
    await world.get(AskRail).lookUp(await world.payout(again?.id ?? ''));
    expect(await world.status(again?.id ?? '')).toBe('submitted');
    call.answer(accepted());
    await sending;
    expect(await world.payout(again?.id ?? '')).toMatchObject({ status: 'submitted', acceptedAttempt: 1 });
  });

  test('what leaves by itself keeps the same rule', async () => {
    scene = await OwedScene.of(world, client, 'IT');
    const first = await scene.push(6_000);
    await world.get(ReleaseByItself).ofPayee(scene.payee.id);
    const transactionId = (await world.get(DisbursementReads).find(client.id, first))?.transactionId ?? '';
    world.rail.answers = () => refused();
    await world.drive(transactionId);
    const { railKey } = await world.payout(transactionId);
    world.rail.knows.set(railKey, { kind: 'unknown', detail: 'no answer' });
    await scene.push(1_000);
    await world.get(ReleaseByItself).ofPayee(scene.payee.id);
    expect(await scene.statuses(first)).toEqual(['owed']);
  });

  test('a recovery link takes no rows whose money is in dispute', async () => {
    const first = await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal('permanent');
    world.rail.knows.set(railKey, settled());
    await world.get(AskRail).lookUp(await world.payout(id));
    const replacement = await world.pay(client, scene.payee, 6_000);
    world.rail.answers = () => accepted();
    await world.drive(replacement.id);
    const link = { replacementTransactionId: replacement.id, disbursementIds: [first] };
    await expect(world.get(LinkRecovery).run(client, link)).rejects.toMatchObject({
      code: 'superseded_transaction_not_failed',
    });
  });

  test('a recovery link calls no rail, and has it asked soon what became of the old payout', async () => {
    const first = await scene.push(6_000);
    const { id, railKey } = await scene.refusedWithdrawal('permanent');
    const replacement = await world.pay(client, scene.payee, 6_000);
    world.rail.answers = () => accepted();
    await world.drive(replacement.id);
    const asked = world.rail.asked.length;
    const link = { replacementTransactionId: replacement.id, disbursementIds: [first] };
    expect(await world.get(LinkRecovery).run(client, link)).toEqual({ idempotentReplay: false });
    expect(world.rail.asked).toHaveLength(asked);
    world.rail.knows.set(railKey, settled());
    await world.look(id);
    expect(await scene.openDrift({ id })).toMatchObject([{ kind: 'not_paid_here', railCents: 6_000 }]);
  });
});

/** What clients and the operator do while things go wrong. Each deed goes on until it is answered. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../harness/api';
import { nowMs } from '../now';
import type { Answered, Caller } from './caller';
import { CURRENCY, type Model, type Party, type Payee, type Spell } from './model';
import type { OperatorWords } from './operator-words';

export interface Scene {
  caller: Caller;
  model: Model;
  operator: OperatorWords;
  /** Of this actor alone. */
  random: () => number;
  /** A word that nobody uses twice. */
  unique: () => string;
}

export type Deed = (scene: Scene) => Promise<void>;

const MOCK_REASONS = [
  ...['timeout', 'fail_once', 'fail_transient', 'fail_permanent', 'insufficient_funds', 'return'],
  ...['two_legs', 'leg_timeout', 'leg_refused'],
];

/** Rows are what can be paid twice under two codes, so most deeds are about them. */
export const DEEDS: [weight: number, deed: Deed][] = [
  [12, pay],
  [3, payAgain],
  [3, payMany],
  [8, pushSome],
  [8, withdrawSome],
  [30, pushAndWithdraw],
  [6, retryOne],
  [5, releaseOne],
  [6, giveUpAndWithdraw],
  [3, blockForAWhile],
  [2, suspendForAWhile],
  [4, changeEmail],
  [3, fund],
];

export const of = <T>({ random }: Pick<Scene, 'random'>, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T;
const centsOf = ({ random }: Scene): number => 700 + Math.floor(random() * 4_000);

/** For so long after their call was struck, payees are asked for more often: a worker has slept and woken by then. */
const STRUCK_MS = 40_000;
const STRUCK_SHARE = 0.4;

function anyPayee(scene: Scene): Payee {
  const { model, random } = scene;
  const struck = model.payees.filter(({ externalId }) => (model.struck.get(externalId) ?? 0) > nowMs() - STRUCK_MS);
  if (struck.length > 0 && random() < STRUCK_SHARE) return of(scene, struck);
  return of(scene, of(scene, model.parties).payees);
}

async function pay(scene: Scene): Promise<void> {
  const { model, random, unique } = scene;
  const payee = anyPayee(scene);
  const reason = payee.rail === 'mock' && random() < 0.45 ? `mock:${of(scene, MOCK_REASONS)}` : null;
  const key = `pay-${unique()}`;
  model.wish({ payee, key, amountCents: centsOf(scene), currency: CURRENCY, reason });
  await askedToPay(scene, key);
}

/** Some time later the caller is not sure any more. */
async function payAgain(scene: Scene): Promise<void> {
  const keys = [...scene.model.payouts].flatMap(([key, { first }]) => (first && key.startsWith('pay-') ? [key] : []));
  if (keys.length > 0) await askedToPay(scene, of(scene, keys));
}

export async function askedToPay({ caller, model }: Scene, key: string): Promise<void> {
  const wish = model.payouts.get(key);
  if (!wish) return;
  const { payee, amountCents, currency, reason } = wish;
  const body = { payeeId: payee.id, amountCents, currency, idempotencyKey: key, ...(reason ? { reason } : {}) };
  const what = `pay ${amountCents} ${reason ?? ''} key ${key}`;
  const answer = await caller.asClient(payee.party, { method: 'POST', path: '/payouts', body, payee, what });
  if (answer.status > 201) return surprised(model, payee, what, answer);
  model.learn(wish, answer.body, answer.status === 201);
}

async function payMany(scene: Scene): Promise<void> {
  const { caller, model, unique } = scene;
  const party = of(scene, model.parties);
  const batch = `batch-${unique()}`;
  const wishes = party.payees.map((payee, index) => {
    const key = `${batch}-${index}`;
    return model.wish({ payee, key, amountCents: centsOf(scene), currency: CURRENCY, reason: null });
  });
  const items = wishes.map(({ payee, key, amountCents, currency }) => ({
    ...{ payeeId: payee.id, idempotencyKey: key, amountCents, currency },
  }));
  const what = `batch of ${items.length}, ${batch}`;
  const request = { method: 'POST', path: '/payouts/batch', body: { idempotencyKey: batch, items }, what };
  const { status, body } = await caller.asClient(party, request);
  for (const [index, wish] of wishes.entries()) {
    const row = body?.results?.[index];
    if (status === 207 && row?.status === 'ok') model.learn(wish, row.transaction, row.idempotentReplay === false);
    else surprised(model, wish.payee, what, { status, body: row ?? body });
  }
}

export async function pushSome(scene: Scene, payee = anyPayee(scene)): Promise<void> {
  const { caller, model, random, unique } = scene;
  const rows = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
    const row = { payee, ref: `row-${unique()}`, amountCents: centsOf(scene), currency: CURRENCY, id: null };
    model.rows.set(row.ref, row);
    return row;
  });
  const items = rows.map(({ ref, amountCents, currency }) => ({
    ...{ payeeId: payee.id, externalRef: ref, amountCents, currency },
  }));
  const what = `owe ${rows.map(({ amountCents, ref }) => `${amountCents} as ${ref}`).join(', ')}`;
  const request = { method: 'POST', path: '/disbursements', body: { items }, payee, what };
  const { status, body } = await caller.asClient(payee.party, request);
  for (const [index, { ref }] of rows.entries()) {
    const result = body?.results?.[index];
    const row = model.rows.get(ref);
    if (row && result?.status === 'ok') row.id = result.disbursement.id;
    else surprised(model, payee, what, { status, body: result ?? body });
  }
}

function withdrawSome(scene: Scene): Promise<void> {
  return withdraw(scene, anyPayee(scene));
}

export async function withdraw({ caller }: Pick<Scene, 'caller'>, payee: Payee): Promise<void> {
  const request = { method: 'POST', path: `/payees/${payee.id}/withdraw`, payee, what: 'withdraw' };
  await caller.asClient(payee.party, request);
}

/** With one more row the code is another one: if the earlier payout moved after all, nobody else would stop this. */
async function pushAndWithdraw(scene: Scene): Promise<void> {
  const failed = await someOf(scene, 'failed');
  const payee = failed?.payee ?? anyPayee(scene);
  await pushSome(scene, payee);
  await withdraw(scene, payee);
}

async function retryOne(scene: Scene): Promise<void> {
  const failed = await someOf(scene, 'failed');
  if (failed) await remedy(scene, failed.payee, failed.payout.id, 'retry');
}

async function releaseOne(scene: Scene): Promise<void> {
  const held = await someOf(scene, 'held');
  if (held) await remedy(scene, held.payee, held.payout.id, 'release');
}

export async function remedy(
  { caller }: Pick<Scene, 'caller'>,
  payee: Payee,
  payoutId: string,
  deed: 'retry' | 'release' | 'cancel',
): Promise<Answered> {
  const path = `/payouts/${payoutId}/${deed}`;
  return caller.asClient(payee.party, { method: 'POST', path, payee, what: `${deed} ${payoutId}` });
}

async function giveUpAndWithdraw(scene: Scene): Promise<void> {
  const found = await someOf(scene, scene.random() < 0.7 ? 'failed' : 'held');
  if (!found) return;
  await scene.operator.giveUp(found.payee, found.payout.id);
  if (scene.random() < 0.5) await pushSome(scene, found.payee);
  await withdraw(scene, found.payee);
}

/** Of the newest of a client in this status. */
async function someOf(scene: Scene, status: string): Promise<{ payee: Payee; payout: Json } | null> {
  const party = of(scene, scene.model.parties);
  const path = `/payouts?status=${status}&limit=20`;
  const { body } = await scene.caller.asClient(party, { method: 'GET', path, what: `list ${status}` });
  const payouts = (body?.data ?? []) as Json[];
  const payout = payouts.length > 0 ? of(scene, payouts) : null;
  const payee = payout && party.payees.find(({ id }) => id === payout.payeeId);
  return payee ? { payee, payout } : null;
}

async function blockForAWhile(scene: Scene): Promise<void> {
  const payee = anyPayee(scene);
  if (isSomebodyAtIt(scene.model.blocks.get(payee))) return;
  await scene.operator.block(payee, true);
  await pause(1_000 + scene.random() * 8_000);
  await scene.operator.block(payee, false);
}

/** It holds, or it is being lifted: of two words that cross nobody can tell which counts. */
function isSomebodyAtIt(spells: Spell<boolean>[] = []): boolean {
  const last = spells.at(-1);
  return last !== undefined && (last.value || last.answeredAt === null);
}

async function suspendForAWhile(scene: Scene): Promise<void> {
  const party: Party = of(scene, scene.model.parties);
  if (isSomebodyAtIt(scene.model.suspensions.get(party))) return;
  await scene.operator.suspend(party, true);
  await pause(1_000 + scene.random() * 5_000);
  await scene.operator.suspend(party, false);
}

async function changeEmail(scene: Scene): Promise<void> {
  const { caller, model, unique } = scene;
  const payee = anyPayee(scene);
  if (payee.party.testMode || model.emails.get(payee)?.at(-1)?.answeredAt === null) return;
  const email = `${payee.externalId}@${unique()}.example`;
  const answered = model.spell(model.emails, payee, email);
  const body = { externalId: payee.externalId, email };
  const request = { method: 'POST', path: '/payees', body, payee, what: `e-mail ${email}` };
  const answer = await caller.asClient(payee.party, request);
  if (answer.status === 200) answered(answer);
  else surprised(model, payee, request.what, answer);
}

async function fund(scene: Scene): Promise<void> {
  const { model, operator, unique } = scene;
  await operator.deposit(model.parties.at(-1) as Party, 5_000 + Math.floor(scene.random() * 20_000), unique());
}

function surprised(
  model: Model,
  payee: Payee,
  what: string,
  { status, body }: Pick<Answered, 'status' | 'body'>,
): void {
  model.surprises.push({ payee, text: `${what}: answered ${status} ${JSON.stringify(body)}` });
}

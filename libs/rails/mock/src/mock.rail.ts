/**
 * The provider behind this rail is a ledger in the rail's own store, one record per railKey. Every step is a change of
 * that one record, so that two calls at once, in two processes, still move the money once.
 */
import {
  type AccountFact,
  type Directive,
  directiveOf,
  type ListsMovements,
  type LookupFact,
  type OpensAccounts,
  type OutcomeFact,
  type Rail,
  type RailContext,
  type RailMovement,
  type RailOrder,
  type SubmitFact,
  type TakesDirection,
} from '#libs/rail-kit';
import { accountFact } from './mock.accounts';
import { answerTo, asOf, directed, type Payment, sent, sentAgain, stateOf } from './mock.ledger';

const PREFIX = 'payment:';
const keyOf = (order: RailOrder): string => PREFIX + order.railKey;

export class MockRail implements Rail, OpensAccounts, TakesDirection, ListsMovements {
  readonly #context: RailContext;

  constructor(context: RailContext) {
    this.#context = context;
  }

  async submit(order: RailOrder): Promise<SubmitFact> {
    const directive = directiveOf(order.reason);
    const payment = await this.#send(order, directive);
    if (directive === 'return') await this.#context.hint(order.railKey);
    await this.#tellLater(order.railKey, payment);
    return answerTo(payment, directive);
  }

  async lookup(order: RailOrder): Promise<LookupFact> {
    const known = await this.#context.store.read<Payment>(keyOf(order));
    if (!known) return { kind: 'never_seen' };
    const payment = await this.#byNow(keyOf(order), known);
    await this.#tellLater(order.railKey, payment);
    return stateOf(payment);
  }

  async readAccount(accountId: string): Promise<AccountFact> {
    return accountFact(accountId);
  }

  async direct(order: RailOrder, outcome: OutcomeFact): Promise<void> {
    const { store, clock, hint } = this.#context;
    const direct = (current: Payment): Payment => directed(asOf(current, clock.now()), outcome, clock.now());
    const payment = await store.update<Payment>(keyOf(order), direct);
    if (!payment) throw new Error(`The mock rail has no payment ${order.railKey}: submit the payout first.`);
    await hint(order.railKey);
  }

  async movements(since: Date): Promise<RailMovement[]> {
    const records = await this.#context.store.list<Payment>(since);
    return records.flatMap(({ key, value }) => movementOf(key, value)).filter(({ movedAt }) => movedAt >= since);
  }

  async #byNow(key: string, payment: Payment): Promise<Payment> {
    const { store, clock } = this.#context;
    if (asOf(payment, clock.now()) === payment) return payment;
    return (await store.update<Payment>(key, (current) => asOf(current, clock.now()))) ?? payment;
  }

  /** Of what is still to happen to it. Whoever looked too early is told once more. */
  async #tellLater(railKey: string, { dueAt }: Payment): Promise<void> {
    if (!dueAt) return;
    const inSeconds = Math.max(Math.ceil((new Date(dueAt).getTime() - this.#context.clock.now().getTime()) / 1000), 1);
    await this.#context.hint(railKey, inSeconds);
  }

  /** Of many calls at once one makes the record, and the others find it: the reference tells which. */
  async #send(order: RailOrder, directive: Directive | null): Promise<Payment> {
    const { store, clock } = this.#context;
    const mine = sent(order, directive, clock.now());
    const kept = await store.claim<Payment>(keyOf(order), mine);
    if (kept.providerRef === mine.providerRef) return kept;
    return (await store.update<Payment>(keyOf(order), (now) => sentAgain(now, directive, clock.now()))) ?? kept;
  }
}

function movementOf(key: string, { settledAt, providerRef, amountCents, currency }: Payment): RailMovement[] {
  if (settledAt === null) return [];
  return [{ railKey: key.slice(PREFIX.length), providerRef, amountCents, currency, movedAt: new Date(settledAt) }];
}

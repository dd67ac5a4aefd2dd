/** Every payment the provider has, by rail and code: written down before it counts, and carried on when its time comes. */
import { nowMs } from '../now';
import { type Ledger, type LedgerLine } from './ledger';
import { decided, type Order, passed, type Payment, received, receivedAgain, type State, stateOf } from './payment';
import type { Temper } from './temper';

const keyOf = ({ rail, code }: Pick<Order, 'rail' | 'code'>): string => `${rail} ${code}`;

export class Payments {
  private readonly byKey = new Map<string, Payment>();
  private readonly waiting = new Map<string, ((answer: State) => void)[]>();

  constructor(
    private readonly ledger: Ledger,
    private readonly temper: Temper,
    private readonly news: (payment: Payment) => void,
  ) {}

  /** After a start: what was under way when the process before this one went goes on. */
  resume(lines: LedgerLine[]): void {
    for (const { at: _, event: __, ...payment } of lines) this.byKey.set(keyOf(payment), payment);
    for (const payment of this.byKey.values()) this.arm(payment);
  }

  find(rail: string, code: string): Payment | null {
    return this.byKey.get(keyOf({ rail, code })) ?? null;
  }

  /** Of all that were ever moved, those that changed at that instant or later. */
  movedSince(rail: string, since: number, until: number): Payment[] {
    return [...this.byKey.values()].filter(
      (payment) =>
        payment.rail === rail && payment.settledAt !== null && payment.settledAt >= since && payment.settledAt <= until,
    );
  }

  bounced(): Payment[] {
    return [...this.byKey.values()].filter(({ state }) => state === 'bounced');
  }

  /** What the submission is told, once it was considered: a second one meanwhile is told the same. */
  submit(order: Order, queuedMs: number): Promise<State> {
    const known = this.find(order.rail, order.code);
    const payment = known ? receivedAgain(known, order, nowMs(), queuedMs) : received(order, nowMs(), queuedMs);
    if (payment !== known) this.keep(payment);
    if (payment.state !== 'queued') return Promise.resolve(stateOf(payment));
    const answer = new Promise<State>((resolve) => {
      this.waiting.set(keyOf(order), [...(this.waiting.get(keyOf(order)) ?? []), resolve]);
    });
    if (payment !== known) this.arm(payment);
    return answer;
  }

  private keep(payment: Payment): void {
    this.ledger.write(payment, nowMs());
    this.byKey.set(keyOf(payment), payment);
  }

  private arm(payment: Payment): void {
    if (payment.next === null) return;
    const due = (): void => {
      if (this.byKey.get(keyOf(payment)) === payment) this.carryOn(payment);
    };
    const ms = payment.dueAt - nowMs();
    if (ms <= 0 && payment.next === 'decide') due();
    else setTimeout(due, Math.max(0, ms));
  }

  private carryOn(payment: Payment): void {
    if (payment.next === 'decide') return this.decide(payment);
    const next = passed(payment, nowMs());
    this.keep(next);
    this.arm(next);
    this.news(next);
  }

  private decide(payment: Payment): void {
    const decision = this.temper.decision(payment, payment.decisions + 1);
    const next = decided(payment, decision, nowMs());
    this.keep(next);
    this.arm(next);
    const { says } = decision;
    const answer: State =
      says === 'accepted' || says === 'settled' ? stateOf(next) : { status: 'refused', failure: says };
    const waiting = this.waiting.get(keyOf(payment)) ?? [];
    this.waiting.delete(keyOf(payment));
    for (const tell of waiting) tell(answer);
  }
}

/** A rail whose provider is the spec itself: each call goes there over HTTP, and comes back as the fact that the spec wrote. */
import type {
  AccountAnswer,
  LookupAnswer,
  MovesInLegs,
  ReadsAccounts,
  Rail,
  RailCall,
  RailLeg,
  RailOrder,
  SubmitAnswer,
} from '#libs/rail-kit';

export class ScriptedRail implements Rail {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  submit(order: RailOrder, call?: RailCall): Promise<SubmitAnswer> {
    return this.ask('submit', order, call);
  }

  lookup(order: RailOrder, call?: RailCall): Promise<LookupAnswer> {
    return this.ask('lookup', order, call);
  }

  /** What is no answer at all is one that nobody knows. */
  protected async ask<Fact extends { kind: string }>(name: string, about: object, call?: RailCall): Promise<Fact> {
    try {
      const request = { method: 'POST', body: JSON.stringify(about), signal: call?.signal ?? null };
      const response = await fetch(`${this.#baseUrl}/${name}`, request);
      return JSON.parse(await response.text(), revived) as Fact;
    } catch (error) {
      return { kind: 'unknown', detail: String(error) } as unknown as Fact;
    }
  }
}

/** One of those that know whether a payee can be paid. */
export class ScriptedCustodian extends ScriptedRail implements ReadsAccounts {
  readAccount(accountId: string, call?: RailCall): Promise<AccountAnswer> {
    return this.ask('account', { accountId }, call);
  }
}

/** One whose payouts take more than one call. */
export class ScriptedLegs extends ScriptedRail implements MovesInLegs {
  advance(order: RailOrder, { name, key }: RailLeg, call?: RailCall): Promise<SubmitAnswer> {
    return this.ask('advance', { ...order, leg: { name, key } }, call);
  }
}

const revived = (key: string, value: unknown): unknown =>
  key === 'settledAt' && typeof value === 'string' ? new Date(value) : value;

/** What the driver asked for and what it was answered: by this, and by nothing the gateway keeps, it is known what may move. */
import type { Json } from '../../harness/api';
import type { Chronicle } from '../chronicle';
import { nowMs } from '../now';

/** One is enough: sums of several are never added. */
export const CURRENCY = 'EUR';

export interface Party {
  name: string;
  id: string;
  key: string;
  secret: string;
  testMode: boolean;
  payees: Payee[];
}

export interface Payee {
  party: Party;
  id: string;
  externalId: string;
  rail: string;
  account: string | null;
}

/** One payment that was asked for under a key of its own, however often. */
export interface AskedPayout {
  payee: Payee;
  key: string;
  amountCents: number;
  currency: string;
  reason: string | null;
  askedAt: number;
  /** Ids of the answers; more than one is a fault. */
  ids: Set<string>;
  /** How often it was answered as new. */
  made: number;
  /** When, and as what, it was answered first. */
  first: { at: number; status: string } | null;
}

export interface AskedRow {
  payee: Payee;
  ref: string;
  amountCents: number;
  currency: string;
  id: string | null;
}

/** Rows that the caller paid by a payment of its own, and said so: with that payment they are paid. */
export interface Link {
  payee: Payee;
  payoutId: string;
  /** The failed payout that the rows were on. */
  earlierId: string;
  amountCents: number;
}

/** Something that held from when it was answered until the next was asked for. */
export interface Spell<T> {
  value: T;
  askedAt: number;
  answeredAt: number | null;
  /** It was asked for more than once: a process that stood still may do it once more when it wakes. */
  mayComeAgain: boolean;
}

export interface Try {
  at: number;
  answeredAt: number;
  answer: string;
}

export interface Ask {
  party: string;
  payee: string | null;
  what: string;
  tries: Try[];
}

export class Model {
  readonly parties: Party[] = [];
  readonly payouts = new Map<string, AskedPayout>();
  readonly rows = new Map<string, AskedRow>();
  readonly emails = new Map<Payee, Spell<string>[]>();
  readonly blocks = new Map<Payee, Spell<boolean>[]>();
  readonly suspensions = new Map<Party, Spell<boolean>[]>();
  readonly links: Link[] = [];
  readonly deposits = new Map<string, { party: Party; amountCents: number }>();
  /** Whose call met with trouble, and when. */
  readonly struck = new Map<string, number>();
  readonly asks: Ask[] = [];
  /** Answers that no good request should get. */
  readonly surprises: { payee: Payee | null; text: string }[] = [];

  constructor(private readonly chronicle: Chronicle) {}

  get payees(): Payee[] {
    return this.parties.flatMap(({ payees }) => payees);
  }

  begin(party: string, payee: Payee | null, what: string): Ask {
    const ask: Ask = { party, payee: payee?.externalId ?? null, what, tries: [] };
    this.asks.push(ask);
    return ask;
  }

  tried(ask: Ask, one: Try): void {
    ask.tries.push(one);
    this.chronicle.keep('asks.jsonl', { party: ask.party, payee: ask.payee, what: ask.what, ...one });
  }

  wish(payout: Pick<AskedPayout, 'payee' | 'key' | 'amountCents' | 'currency' | 'reason'>): AskedPayout {
    const wish: AskedPayout = { ...payout, askedAt: nowMs(), ids: new Set(), made: 0, first: null };
    this.payouts.set(payout.key, wish);
    return wish;
  }

  /** The answer to one of these: the payout as it now stands. */
  learn(wish: AskedPayout, body: Json, isNew: boolean): void {
    wish.ids.add(body.id);
    wish.first ??= { at: nowMs(), status: body.status };
    if (isNew) wish.made += 1;
    const { payee, amountCents, currency } = wish;
    if (body.payeeId !== payee.id || body.amountCents !== amountCents || body.currency !== currency)
      this.surprises.push({ payee, text: `payout ${wish.key} was answered as another: ${JSON.stringify(body)}` });
  }

  /** Begins a spell; the returned function says that it was answered, and on which try. */
  spell<K, T>(spells: Map<K, Spell<T>[]>, of: K, value: T): (answer: { tries: number }) => void {
    const spell: Spell<T> = { value, askedAt: nowMs(), answeredAt: null, mayComeAgain: false };
    spells.set(of, [...(spells.get(of) ?? []), spell]);
    return ({ tries }) => {
      spell.answeredAt = nowMs();
      spell.mayComeAgain = tries > 1;
    };
  }
}

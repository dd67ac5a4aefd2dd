/**
 * Pays rows that are owed as one payout per currency, in one transaction: under the payee's lock they are looked at, a rule
 * decides, they are taken, each payout is put to its gates, and the payouts they were on before are superseded.
 */
import { Injectable } from '@nestjs/common';
import { newId, Refusal } from '#libs/domain';
import type { Client } from '#libs/clients';
import type { TakeLimits, TakenRows } from '#libs/owed';
import type { LockedPayees, Payee, Room } from '#libs/payees';
import {
  type Actor,
  type Cleared,
  fingerprintOfRows,
  type Payout,
  type PayoutChange,
  type PayoutSource,
  UNROUTED,
  withStep,
} from '#libs/payout-rules';
import { walletKey } from '#libs/wallets';
import { ChangePayout } from './change-payout';
import { OwedRows, type OwedSight, type RowCode } from './owed-rows';
import { clientNow, type GateView, PayoutGates } from './payout-gates';
import { ReleaseHeld } from './release-held';

export interface Consolidation {
  client: Client;
  payeeId: string;
  source: PayoutSource;
  actor: Actor;
  rule: ReleaseRule;
  /** Left out: rails are asked about earlier payouts of the rows. What may not be asked about stays owed. */
  mayAsk?: () => boolean;
}

/** Who may be paid their owed money, and how much of it. Pure: it is asked under locks. */
export interface ReleaseRule {
  /** Between two withdrawals; 0 if there may be any number. */
  intervalSeconds(client: Client): number;
  /** Returns what may leave, or throws what is against it. */
  decide(sight: OwedSight): Leave;
  /** How much there is, and is covered, is certain only once it is taken; throws if nothing is to come of it. */
  confirm(taken: TakenRows[], leave: Leave): void;
}

export interface Leave {
  currencies: string[];
  limits: TakeLimits;
  /** For when the amounts are within their limits. */
  refusal: Refusal | null;
}

export interface Take {
  currency: string;
  rows: TakenRows;
}

/** By the id of the payout. None is made of a take without rows: all of it was left. */
export type Takes = Map<string, Take>;

export interface Consolidated {
  payouts: Payout[];
  /** Looked up once it was clear that they were committed: jobs send them. */
  isFound: boolean;
  takes: Takes;
}

/** Everything that one transaction has locked and read. */
interface Held {
  /** The client as it is by now. */
  client: Client;
  payee: Payee;
  free: string[];
  /** All that the rows were on before was asked about a moment ago: to take rows may take its time. */
  isAsked: () => boolean;
  leave: Leave;
  view: GateView;
}

@Injectable()
export class ConsolidatePayouts {
  constructor(
    private readonly change: ChangePayout,
    private readonly gates: PayoutGates,
    private readonly held: ReleaseHeld,
    private readonly rows: OwedRows,
  ) {}

  /** Rails may take their time to answer. Whatever somebody holds for long is waited for outside of the room. */
  async run(asked: Consolidation, room: Room): Promise<Consolidated> {
    const { payeeId } = asked;
    const cleared = await this.rows.ask(asked);
    let takes: Takes = new Map();
    const work = (): Promise<Payout[]> =>
      this.change.withPayeeInRoom(payeeId, room, async (payees, locked) => {
        takes = new Map(); // a transaction that gave way starts anew
        const held = await this.look(asked, payees, cleared);
        await locked();
        await this.take(held, takes);
        asked.rule.confirm(takenOf(takes), held.leave);
        const made = await this.written(asked, held, takes);
        return this.held.releaseReached(made, payees, held.view);
      });
    return { ...(await this.change.foundAgain(work, () => madeOf(takes))), takes };
  }

  private async look(asked: Consolidation, payees: LockedPayees, cleared: Cleared): Promise<Held> {
    const { client, payeeId, rule } = asked;
    const locked = payees.get(payeeId);
    if (locked?.clientId !== client.id) throw new Refusal('payee_not_found');
    const { payoutIds: free, isAsked, hasEarlier } = await this.rows.lockFree(asked, cleared);
    const known = await this.gates.withoutWallets([payeeId], [client.id]);
    const now = clientNow(client, known);
    const payee = this.gates.payeeNow(locked, now, known);
    const [owed, secondsToNext] = await Promise.all([
      this.rows.owed(payeeId, free),
      this.rows.secondsToNext(payeeId, rule.intervalSeconds(now)),
    ]);
    const waiting = owed.length === 0 && hasEarlier;
    const leave = rule.decide({ client: now, payee, owed, waiting, secondsToNext });
    const drawn = leave.currencies.map((currency) => ({ client: now, currency }));
    return { client: now, payee, free, isAsked, leave, view: await this.gates.withWallets(known, drawn) };
  }

  private async take({ client, payee, free, leave, view }: Held, takes: Takes): Promise<void> {
    for (const currency of leave.currencies) {
      const payoutId = newId();
      const covered = view.wallets.get(walletKey({ clientId: client.id, currency })) ?? 0;
      const coveredCents = client.prepaid ? covered : null;
      const order = { payeeId: payee.id, currency, payoutId, free, coveredCents };
      takes.set(payoutId, { currency, rows: await this.rows.take(order, leave.limits) });
    }
  }

  private async written(asked: Consolidation, held: Held, takes: Takes): Promise<Payout[]> {
    const { client, payee, view } = held;
    const judged = { client, payee, actor: asked.actor, bypassFloor: false, waitsForJob: !held.isAsked() };
    const made = [...takes].filter(([, { rows }]) => rows.rows > 0);
    const changes: PayoutChange[] = [];
    const accountId = view.methods.get(payee.id)?.providerAccountId ?? null;
    for (const [payoutId, take] of made) {
      const code = await this.rows.codeOf(payee, payoutId, take, accountId);
      const draft = drafted(asked, held, { payoutId, ...take, ...code });
      // A restored database asks for it again; some rails are called by the request, and nobody would look once more.
      if (code.hasMoved) view.disputed.add(payoutId);
      changes.push(this.gates.judge(draft, view, judged));
    }
    // The last payout of a code is the only one that is not superseded: the earlier ones make way first.
    for (const [by, { rows }] of made) if (rows.earlier.length > 0) await this.change.supersede(rows.earlier, by);
    const payouts = await this.change.insert(changes);
    if (payouts.length !== changes.length) throw new Error('A payout of owed rows has a key that is taken.');
    return payouts;
  }
}

const takenOf = (takes: Takes): TakenRows[] => [...takes.values()].map(({ rows }) => rows);

const madeOf = (takes: Takes): string[] => [...takes].flatMap(([id, { rows }]) => (rows.rows > 0 ? [id] : []));

function drafted(
  { source, actor }: Consolidation,
  { client, payee }: Held,
  { payoutId, currency, rows, railKey, codeSince, legs }: Take & RowCode & { payoutId: string },
): PayoutChange {
  const { amountCents, reason, refsDigest } = rows;
  const after: Payout = {
    ...UNROUTED,
    id: payoutId,
    clientId: client.id,
    payeeId: payee.id,
    externalId: payee.externalId,
    source,
    idempotencyKey: `${source}:${payoutId}`,
    fingerprint: fingerprintOfRows(refsDigest),
    testMode: client.testMode,
    ...{ railKey, codeSince, legs, amountCents, currency, reason, ref: null, metadata: {} },
    consolidates: true,
  };
  return withStep({ before: null, after, trail: [] }, { on: 'create', actor });
}

/** Puts what is held to its gates again, under the locks of its payees: oldest first, and what has to wait is not touched. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { reasonCodeOf } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import type { LockedPayees, Payee } from '#libs/payees';
import {
  changeOf,
  type FloorGroup,
  isPastFloor,
  type Payout,
  type PayoutChange,
  reachingFloor,
  waitsForTest,
} from '#libs/payout-rules';
import { PayoutReads } from '../db/payout.reads';
import { ChangePayout } from './change-payout';
import { clientNow, type GateView, PayoutGates } from './payout-gates';
import { PayoutJobs } from './payout-jobs';

/** A payee's payouts that wait for one floor may be thousands, and the process serves others between. */
const IN_A_TURN = 250;

interface JudgedOptions {
  /** If given, the payouts that may leave, plus this much, must reach the floor of their group; otherwise all of them wait. */
  besideCents?: number;
  sentByCaller?: Set<string>;
  /** By what the client allows now. */
  isDue?: (payout: Payout, client: Client) => boolean;
  /** A payout that does not fit into its payee's day waits for another one. */
  onlyFitting?: boolean;
  /** Leaves payouts alone that would be held again for the same cause; and the floor counts, whatever they were held for. */
  onlyCleared?: boolean;
}

export interface Passed {
  changed: Payout[];
  /** They were sent before, or their rows on another payout: a job asks their rails first. */
  asked: Payout[];
  /** Some stay, because the payouts that may leave are below their floor. */
  isBelow: boolean;
  /** None goes on as long as its client is suspended. */
  isSuspended: boolean;
}

interface Ready {
  payout: Payout;
  client: Client;
  payee: Payee;
  group: FloorGroup;
}

@Injectable()
export class JudgeHeld {
  constructor(
    private readonly change: ChangePayout,
    private readonly gates: PayoutGates,
    private readonly clients: ClientRegistry,
    private readonly jobs: PayoutJobs,
    private readonly reads: PayoutReads,
  ) {}

  /** The payouts, oldest first, are locked by the caller's transaction. */
  async run(payouts: Payout[], payees: LockedPayees, options: JudgedOptions = {}): Promise<Passed> {
    const due: { payout: Payout; client: Client }[] = [];
    for (const payout of payouts) {
      const known = await this.clients.byId(payout.clientId);
      if (known) due.push({ payout, client: known.client });
    }
    if (due.length === 0) return { changed: [], asked: [], isBelow: false, isSuspended: false };
    const drawn = due.map(({ payout: { currency }, client }) => ({ client, currency }));
    const view = await this.gates.view([...payees.keys()], drawn, payouts);
    const ready = due.flatMap(({ payout, client: known }) => {
      const payee = payees.get(payout.payeeId);
      const client = clientNow(known, view);
      if (!payee || client.status !== 'active' || !(options.isDue ?? always)(payout, client)) return [];
      // If it waits for more than it was held for, it keeps its reason, and has another turn.
      const by = this.gates.railNow(payout, client, payee, view);
      const group = by && { payeeId: payee.id, currency: payout.currency, provider: by.provider };
      return !group || waitsForTest(payout) ? [] : [{ payout, client, payee, group }];
    });
    const floorOf = ({ client, group: { provider, currency } }: Ready): number =>
      this.gates.floorOf(client, provider, currency);
    const leaving = reachingFloor(ready, options.besideCents ?? Infinity, floorOf);
    const consolidating = leaving.flatMap(({ payout: { id, consolidates } }) => (consolidates ? [id] : []));
    const before = await this.reads.withOthersBefore(consolidating);
    const isToAsk = ({ id, submittedAt }: Payout): boolean => submittedAt !== null || before.has(id);
    const [asked, changed]: [Payout[], Payout[]] = [[], []];
    for (let from = 0; from < leaving.length; from += IN_A_TURN) {
      if (from > 0) await othersFirst();
      const [toAsk, changes] = this.judged(leaving.slice(from, from + IN_A_TURN), isToAsk, view, options);
      await this.jobs.goOn(toAsk);
      changed.push(...(await this.change.update(changes, options.sentByCaller)));
      asked.push(...toAsk);
    }
    const isSuspended = due.every(({ client }) => clientNow(client, view).status === 'suspended');
    return { changed, asked, isBelow: leaving.length < ready.length, isSuspended };
  }

  /** What has to be asked about first, and how the others go on, or are held from now on. */
  private judged(
    ready: Ready[],
    isToAsk: (payout: Payout) => boolean,
    view: GateView,
    { onlyFitting = false, onlyCleared = false }: JudgedOptions,
  ): [Payout[], PayoutChange[]] {
    const [asked, changes]: [Payout[], PayoutChange[]] = [[], []];
    for (const { payout, client, payee } of ready) {
      const bypassFloor = !onlyCleared && isPastFloor(payout);
      const judged = { client, payee, actor: 'system', bypassFloor } as const;
      const toAsk = isToAsk(payout);
      if (toAsk && !onlyCleared) {
        asked.push(payout);
        continue;
      }
      if (onlyFitting && !this.gates.fitsToday(payout, judged, view)) continue;
      const change = this.gates.judge(changeOf(payout), view, judged);
      if (onlyCleared && isHeldAsBefore(change)) continue;
      if (toAsk) asked.push(payout);
      else changes.push(change);
    }
    return [asked, changes];
  }
}

const always = (): boolean => true;

const isHeldAsBefore = ({ before, after }: PayoutChange): boolean =>
  after.status === 'held' && reasonCodeOf(after.statusReason) === reasonCodeOf(before?.statusReason ?? null);

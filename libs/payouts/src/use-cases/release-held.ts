/**
 * Releases by itself what was held for a cause that passes: a floor that was reached, a day that is over, funds that came.
 * Each payout goes to its gates again under its payee's lock, oldest first. The payouts of a suspended client wait. A payee
 * whose payouts cannot be written keeps nobody else's.
 */
import { Injectable } from '@nestjs/common';
import { reasonCodeOf } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/auth';
import { apart } from '#libs/db';
import type { LockedPayees } from '#libs/payees';
import { HeldReads } from '../db/held.reads';
import { goesOnByItself } from '../goes-on';
import { changeOf, type Payout } from '../payout';
import { ChangePayout } from './change-payout';
import { clientNow, type GateView, PayoutGates } from './payout-gates';
import { RailQueue } from './rail-queue';

interface AccruedOptions {
  only?: Set<string>;
  sentByCaller?: Set<string>;
  /** How clients stand, where the caller's transaction has looked already. */
  clients?: GateView['clients'];
}

interface JudgedOptions {
  bypassFloor: boolean;
  sentByCaller?: Set<string>;
  /** By what the client allows now. */
  isDue?: (payout: Payout, client: Client) => boolean;
}

interface Passed {
  changed: Payout[];
  /** Sent before: a job asks their rails first. */
  asked: Payout[];
}

/** soon: its rail is asked first. held: for something else by now. stays: as it is, for now. */
export type WentOn = 'on' | 'soon' | 'held' | 'stays';

@Injectable()
export class ReleaseHeld {
  constructor(
    private readonly change: ChangePayout,
    private readonly held: HeldReads,
    private readonly gates: PayoutGates,
    private readonly clients: ClientRegistry,
    private readonly queue: RailQueue,
  ) {}

  /** Part of the transaction that created these rows: those that tip a floor go on at once, with all that waited for it. */
  async tippedBy(created: Payout[], payees: LockedPayees, { clients }: Pick<GateView, 'clients'>): Promise<Payout[]> {
    const waiting = created.filter(waitsForFloor);
    if (waiting.length === 0) return created;
    const groups = new Set(waiting.map(groupOf));
    const mine = new Set(created.map(({ id }) => id));
    const payeeIds = [...new Set(waiting.map(({ payeeId }) => payeeId))];
    const { changed } = await this.releaseAccrued(payeeIds, payees, { only: groups, sentByCaller: mine, clients });
    const byId = new Map(changed.map((payout) => [payout.id, payout]));
    return created.map((payout) => byId.get(payout.id) ?? payout);
  }

  /** Everywhere: a floor may have been lowered since the rows were held. Answers how many were released. */
  async accrued(): Promise<number> {
    let count = 0;
    for (const { clientId, payeeId, provider, cents } of await this.held.accrued()) {
      const client = await this.activeClient(clientId);
      if (!client || cents < this.gates.floorOf(client, provider)) continue;
      const released = await apart(notReleased(payeeId), () =>
        this.change.withPayees([payeeId], (payees) => this.releaseAccrued([payeeId], payees)),
      );
      count += released?.changed.filter(wentOn).length ?? 0;
    }
    return count;
  }

  /** What was held for a cap of a day that is over. Whatever is held for today's cap again waits for tomorrow. */
  async ofEarlierDays(): Promise<number> {
    let count = 0;
    const left: string[] = [];
    for (;;) {
      const payeeIds = await this.held.payeesOfAnEarlierDay(left);
      for (const payeeId of payeeIds) {
        const released = await apart(notReleased(payeeId), () =>
          this.change.withPayees([payeeId], (payees) => this.releaseDay(payeeId, payees)),
        );
        if (released === null || released.changed.length === 0) left.push(payeeId);
        count += released?.changed.filter(wentOn).length ?? 0;
      }
      if (payeeIds.length === 0) return count;
    }
  }

  /** What was held for a difference that was closed since. Where an operator decided about its own money, a person releases it. */
  async undisputed(): Promise<number> {
    let count = 0;
    for (const { payeeId, ids } of await this.held.undisputed()) {
      const released = await apart(notReleased(payeeId), () =>
        this.change.withPayees([payeeId], async (payees) => {
          const waiting = await this.held.lockFor('route_blocked', [payeeId]);
          return this.judged(
            waiting.filter((payout) => ids.includes(payout.id) && goesOnByItself(payout)),
            payees,
            { bypassFloor: true },
          );
        }),
      );
      count += released?.changed.filter(wentOn).length ?? 0;
    }
    return count;
  }

  /** One payout that waited for funds. */
  async funded(payeeId: string, payoutId: string): Promise<WentOn> {
    const released = await apart(notReleased(payeeId), () =>
      this.change.withPayees([payeeId], async (payees) => {
        const waiting = await this.held.lockFor('insufficient_funds', [payeeId]);
        return this.judged(
          waiting.filter(({ id }) => id === payoutId),
          payees,
          { bypassFloor: true },
        );
      }),
    );
    if (released && released.asked.length > 0) return 'soon';
    const [changed] = released?.changed ?? [];
    if (!changed) return 'stays';
    return wentOn(changed) ? 'on' : 'held';
  }

  private async releaseAccrued(
    payeeIds: string[],
    payees: LockedPayees,
    { only, sentByCaller, clients }: AccruedOptions = {},
  ): Promise<Passed> {
    const held = await this.held.lockFor('below_min_payout', payeeIds);
    // The wallets of other currencies are not locked yet, and now it is too late to.
    const waiting = only ? held.filter((payout) => only.has(groupOf(payout))) : held;
    const sums = new Map<string, number>();
    for (const payout of waiting) sums.set(groupOf(payout), (sums.get(groupOf(payout)) ?? 0) + payout.amountCents);
    const isDue = (payout: Payout, client: Pick<Client, 'floors'>): boolean =>
      (sums.get(groupOf(payout)) ?? 0) >= this.gates.floorOf(client, payout.provider);
    // Who just looked at the clients need not look again where nothing reaches its floor.
    const mayBeDue = (payout: Payout): boolean => {
      const client = clients?.[payout.clientId];
      return !client || isDue(payout, client);
    };
    return this.judged(waiting.filter(mayBeDue), payees, { bypassFloor: true, sentByCaller, isDue });
  }

  private async releaseDay(payeeId: string, payees: LockedPayees): Promise<Passed> {
    const waiting = await this.held.lockFor('cap_exceeded_daily', [payeeId]);
    const earlier = await this.held.isOfAnEarlierDay(waiting.map(({ id }) => id));
    return this.judged(
      waiting.filter(({ id }) => earlier.has(id)),
      payees,
      { bypassFloor: false },
    );
  }

  private async judged(
    payouts: Payout[],
    payees: LockedPayees,
    { bypassFloor, sentByCaller, isDue = () => true }: JudgedOptions,
  ): Promise<Passed> {
    const due: { payout: Payout; client: Client }[] = [];
    for (const payout of payouts) {
      const client = await this.activeClient(payout.clientId);
      if (client) due.push({ payout, client });
    }
    if (due.length === 0) return { changed: [], asked: [] };
    const drawn = due.map(({ payout: { currency }, client }) => ({ client, currency }));
    const view = await this.gates.view([...payees.keys()], drawn, payouts);
    const ready = due.flatMap(({ payout, client: known }) => {
      const payee = payees.get(payout.payeeId);
      const client = clientNow(known, view);
      if (!payee || client.status !== 'active' || !isDue(payout, client)) return [];
      // Where it waits for more than it was held for, it keeps its reason, and has another turn.
      if (view.disputed.has(payout.id) || this.gates.isCooling(payout, client, payee)) return [];
      return [{ payout, judged: { client, payee, actor: 'system', bypassFloor } as const }];
    });
    const asked = ready.map(({ payout }) => payout).filter(wasSent);
    await this.queue.goOn(asked);
    const changes = ready
      .filter(({ payout }) => !wasSent(payout))
      .map(({ payout, judged }) => this.gates.judge(changeOf(payout), view, judged));
    return { changed: await this.change.update(changes, sentByCaller), asked };
  }

  private async activeClient(clientId: string): Promise<Client | null> {
    const known = await this.clients.byId(clientId);
    return known?.client.status === 'active' ? known.client : null;
  }
}

const waitsForFloor = ({ status, statusReason }: Payout): boolean =>
  status === 'held' && reasonCodeOf(statusReason) === 'below_min_payout';

const wasSent = ({ submittedAt }: Payout): boolean => submittedAt !== null;

const notReleased = (payeeId: string) => ({ event: 'payee.not_released', payeeId });

const wentOn = ({ status }: Payout): boolean => status !== 'held' && status !== 'failed';

const groupOf = ({ payeeId, provider, currency }: Payout): string => `${payeeId} ${provider} ${currency}`;

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
import { changeOf, type Payout } from '../payout';
import { ChangePayout } from './change-payout';
import { clientNow, type GateView, PayoutGates } from './payout-gates';

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

@Injectable()
export class ReleaseHeld {
  constructor(
    private readonly change: ChangePayout,
    private readonly held: HeldReads,
    private readonly gates: PayoutGates,
    private readonly clients: ClientRegistry,
  ) {}

  /** Part of the transaction that created these rows: those that tip a floor go on at once, with all that waited for it. */
  async tippedBy(created: Payout[], payees: LockedPayees, { clients }: Pick<GateView, 'clients'>): Promise<Payout[]> {
    const waiting = created.filter(waitsForFloor);
    if (waiting.length === 0) return created;
    const groups = new Set(waiting.map(groupOf));
    const mine = new Set(created.map(({ id }) => id));
    const payeeIds = [...new Set(waiting.map(({ payeeId }) => payeeId))];
    const released = await this.releaseAccrued(payeeIds, payees, { only: groups, sentByCaller: mine, clients });
    const byId = new Map(released.map((payout) => [payout.id, payout]));
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
      count += released?.filter(wentOn).length ?? 0;
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
        if (released === null || released.length === 0) left.push(payeeId);
        count += released?.filter(wentOn).length ?? 0;
      }
      if (payeeIds.length === 0) return count;
    }
  }

  /** One payout that waited for funds. Answers whether it went on; null where it cannot be written. */
  async funded(payeeId: string, payoutId: string): Promise<boolean | null> {
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
    return released && released.some(wentOn);
  }

  private async releaseAccrued(
    payeeIds: string[],
    payees: LockedPayees,
    { only, sentByCaller, clients }: AccruedOptions = {},
  ): Promise<Payout[]> {
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

  private async releaseDay(payeeId: string, payees: LockedPayees): Promise<Payout[]> {
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
  ): Promise<Payout[]> {
    const due: { payout: Payout; client: Client }[] = [];
    for (const payout of payouts) {
      const client = await this.activeClient(payout.clientId);
      if (client) due.push({ payout, client });
    }
    if (due.length === 0) return [];
    const drawn = due.map(({ payout: { currency }, client }) => ({ client, currency }));
    const view = await this.gates.view([...payees.keys()], drawn, payouts);
    const changes = due.flatMap(({ payout, client: known }) => {
      const payee = payees.get(payout.payeeId);
      const client = clientNow(known, view);
      if (!payee || client.status !== 'active' || !isDue(payout, client)) return [];
      // Where it waits for more than it was held for, it keeps its reason, and has another turn.
      if (this.gates.isCooling(payout, client, payee)) return [];
      return [this.gates.judge(changeOf(payout), view, { client, payee, actor: 'system', bypassFloor })];
    });
    return this.change.update(changes, sentByCaller);
  }

  private async activeClient(clientId: string): Promise<Client | null> {
    const known = await this.clients.byId(clientId);
    return known?.client.status === 'active' ? known.client : null;
  }
}

const waitsForFloor = ({ status, statusReason }: Payout): boolean =>
  status === 'held' && reasonCodeOf(statusReason) === 'below_min_payout';

const notReleased = (payeeId: string) => ({ event: 'payee.not_released', payeeId });

const wentOn = ({ status }: Payout): boolean => status !== 'held' && status !== 'failed';

const groupOf = ({ payeeId, provider, currency }: Payout): string => `${payeeId} ${provider} ${currency}`;

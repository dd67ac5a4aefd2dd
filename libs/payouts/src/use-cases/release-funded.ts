/** Releases payouts that wait for funds, the oldest that fit: a wallet or a rail's own account got more, or their client is no longer prepaid. */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { apart } from '#libs/db';
import { RailCaller } from '#libs/rail-registry';
import { availableCents, WalletReads } from '#libs/wallets';
import { type Fitting, HeldReads, type Waiting } from '../db/held.reads';
import { ReleaseHeld, type WentOn } from './release-held';

/** Each in a transaction of its own: then others have their turn. */
const MOST_LOOKS = 200;
const TAKES_ITS_MONEY: readonly WentOn[] = ['on', 'soon'];

type Find = (fitting: Fitting) => Promise<Waiting[]>;

interface Spent {
  released: number;
  /** More may fit. */
  isMore: boolean;
}

@Injectable()
export class ReleaseFunded {
  /** By whose money it is: what stayed in looks that were not enough for all. It comes last, until a look reaches the end or nothing more stays. */
  private readonly behind = new Map<string, Waiting[]>();

  constructor(
    private readonly reads: HeldReads,
    private readonly wallets: WalletReads,
    private readonly caller: RailCaller,
    private readonly held: ReleaseHeld,
    private readonly clients: ClientRegistry,
  ) {}

  async ofEveryClient(signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (const { clientId } of await this.reads.clientsShortOfFunds()) {
      if (signal?.aborted) break;
      count +=
        (await apart({ event: 'client.not_released', clientId }, () => this.ofClient(clientId, signal)))?.released ?? 0;
    }
    return count;
  }

  async ofClient(clientId: string, signal?: AbortSignal): Promise<Spent> {
    const client = await this.clients.stored(clientId);
    const waiting = (currency: string | null) => (fitting: Fitting) =>
      this.reads.waitingForWallet(clientId, currency, fitting);
    if (!client?.prepaid) return this.spend(clientId, Number.MAX_SAFE_INTEGER, waiting(null), signal);
    const spent: Spent = { released: 0, isMore: false };
    for (const wallet of await this.wallets.of(clientId)) {
      const whose = `${clientId} ${wallet.currency}`;
      const { released, isMore } = await this.spend(whose, availableCents(wallet), waiting(wallet.currency), signal);
      spent.released += released;
      spent.isMore ||= isMore;
    }
    return spent;
  }

  /** Only rails that tell what they have can be waited for; on others an operator or the client releases. */
  async ofRails(signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (const { provider: rail } of await this.reads.railsShortOfFunds()) {
      if (signal?.aborted) break;
      count += (await apart({ event: 'rail.not_released', rail }, () => this.ofRail(rail, signal))) ?? 0;
    }
    return count;
  }

  private async ofRail(provider: string, signal?: AbortSignal): Promise<number> {
    let count = 0;
    for (const { currency, availableCents: cents } of (await this.caller.funding(provider)) ?? []) {
      const waiting = (fitting: Fitting) => this.reads.waitingForRail(provider, currency, fitting);
      count += (await this.spend(`${provider} ${currency}`, cents, waiting, signal)).released;
    }
    return count;
  }

  /** Goes on for as long as anything comes of it; what stays as it is makes room for others. If nothing did, the schedule looks next. */
  private async spend(whose: string, cents: number, waiting: Find, signal?: AbortSignal): Promise<Spent> {
    const behind = this.behind.get(whose) ?? [];
    const looks = new Map<Waiting, WentOn>();
    const heldUp = new Set<string>();
    const isTold = (): boolean => signal?.aborted === true;
    const mayLook = (clientId = ''): boolean => looks.size < MOST_LOOKS && !isTold() && !heldUp.has(clientId);
    const spent = async (one: Waiting): Promise<number> => {
      const went = await this.held.funded(one.payeeId, one.id);
      looks.set(one, went);
      if (went === 'late') heldUp.add(one.clientId);
      return TAKES_ITS_MONEY.includes(went) ? one.amountCents : 0;
    };
    for (let [left, before] = [cents, Infinity]; left < before && mayLook();) {
      before = left;
      for (const one of await waiting({ cents: left, without: [...behind, ...looks.keys()].map(({ id }) => id) }))
        if (one.amountCents <= left && mayLook(one.clientId)) left -= await spent(one);
    }
    const those = (...how: WentOn[]): Waiting[] => [...looks].flatMap(([one, went]) => (how.includes(went) ? one : []));
    const [stay, isFull] = [those('stays'), looks.size >= MOST_LOOKS];
    const last = isFull ? those('stays', 'late') : those('late');
    const keeps = ({ clientId }: Waiting) => isTold() || heldUp.has(clientId) || (isFull && last.length > 0);
    const rest = [...behind.filter(keeps), ...last];
    if (rest.length > 0) this.behind.set(whose, rest);
    else this.behind.delete(whose);
    return { released: those('on').length, isMore: isFull && stay.length < looks.size };
  }
}

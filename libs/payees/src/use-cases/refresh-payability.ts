/**
 * Asks rails about the accounts they were not asked about for a while: some rails never call back when a payee becomes
 * payable, or stops being so. Whatever the rail cannot tell now stays as it is known.
 */
import { Injectable } from '@nestjs/common';
import { ClientRegistry } from '#libs/clients';
import { apart, onBehalf, troubleOf } from '#libs/db';
import { Rails } from '#libs/rail-registry';
import { MethodStore } from '../db/method.store';
import type { Method } from '../payee';
import { type AccountNews, ReadAccount } from './read-account';

interface Refreshed {
  asked: number;
  changed: number;
}

/** Of one rail, and of those that are payable or of the others. */
const AT_A_TIME = 500;
const AT_ONCE = 4;
/** Of the calls that a rail allows a second each of the two takes so much at most: what is left is for payouts. */
const SHARE_OF_CALLS = 1 / 4;
/** If the rail could not tell, or its answer is lost, it is asked again after that, or twice as long. One that was not asked keeps its place. */
const WITHOUT_ANSWER_SECONDS = 300;
/** However often an account is named, it is asked about no more often than that. */
const LEAST_APART_SECONDS = 15;
/** So often a rail that cannot tell is asked about an account that was named; then it has its turn as any other. */
const TRIES_OF_A_NOTICE = 6;
const AFTER_A_TRY_SECONDS = 20;
/** If as many as may be are asked about already. */
const A_MOMENT_SECONDS = 1;

@Injectable()
export class RefreshPayability {
  /** By rail: how many accounts that were named are asked about now. */
  private readonly namedNow = new Map<string, number>();

  constructor(
    private readonly methods: MethodStore,
    private readonly registered: Rails,
    private readonly clients: ClientRegistry,
    private readonly accounts: ReadAccount,
  ) {}

  /** The rails that can be asked about accounts. */
  rails(): string[] {
    return this.registered.all().flatMap(({ definition, rail }) => (rail ? definition.name : []));
  }

  /** Now, also about those accounts that a rail was asked about a moment ago. */
  async ofAll(signal?: AbortSignal): Promise<Refreshed> {
    const sums = await Promise.all(
      this.rails().flatMap((rail) =>
        [true, false].map((payable) => this.ofRail(rail, payable, { evenRecent: true, signal })),
      ),
    );
    const none = { asked: 0, changed: 0 };
    return sums.reduce(
      (sum, { asked, changed }) => ({ asked: sum.asked + asked, changed: sum.changed + changed }),
      none,
    );
  }

  /**
   * Several at once, so that one that the rail is slow about holds nobody. Stops early if it is told that another process is at it,
   * or if the rail wants to be left alone. Once somebody held what is to be written of one, its client's others are left to the next
   * run: each would wait as long again.
   */
  async ofRail(
    rail: string,
    payable: boolean,
    { evenRecent = false, signal }: { evenRecent?: boolean; signal?: AbortSignal } = {},
  ): Promise<Refreshed> {
    const sum = { asked: 0, changed: 0 };
    let leftAlone = false;
    const held = new Set<string>();
    const due = (await this.methods.due(rail, payable, AT_A_TIME, evenRecent)).values();
    const each = async (): Promise<void> => {
      for (const method of due) {
        if (signal?.aborted || leftAlone) return;
        const { payeeId, clientId } = method;
        if (held.has(clientId)) continue;
        sum.asked += 1;
        await apart({ event: 'payee.not_refreshed', payeeId }, async () => {
          const news = await this.refresh(method).catch((error: unknown) => {
            if (troubleOf(error)?.isHeld) held.add(clientId);
            throw error;
          });
          if (news === 'changed') sum.changed += 1;
          if (news === 'not_now') leftAlone = true;
        });
      }
    };
    await Promise.all(Array.from({ length: this.atOnce(rail) }, each));
    return sum;
  }

  /** One that a notice named: what it has to wait before it is asked about, or again; null if that is done. */
  async named(methodId: string, attempts: number): Promise<number | null> {
    const method = await this.methods.find(methodId);
    if (method?.status !== 'active') return null;
    const tooSoon = LEAST_APART_SECONDS - method.checkedAgo;
    if (tooSoon > 0) return tooSoon;
    const { provider } = method;
    const others = this.namedNow.get(provider) ?? 0;
    if (others >= this.atOnce(provider)) return A_MOMENT_SECONDS;
    this.namedNow.set(provider, others + 1);
    try {
      const isTold = ['changed', 'same'].includes(await this.refresh(method));
      return isTold || attempts >= TRIES_OF_A_NOTICE ? null : AFTER_A_TRY_SECONDS;
    } finally {
      this.namedNow.set(provider, (this.namedNow.get(provider) ?? 1) - 1);
    }
  }

  private atOnce(rail: string): number {
    const perSecond = this.registered.traits(rail)?.callsPerSecond ?? Infinity;
    return Math.max(1, Math.min(AT_ONCE, Math.floor(perSecond * SHARE_OF_CALLS)));
  }

  /** The schedules are nobody's: what is written of a client's payees waits in its share of connections. */
  private refresh(method: Method): Promise<AccountNews> {
    return onBehalf(method.clientId, () => this.ask(method));
  }

  /**
   * A turn is written before it is asked about, so that one that cannot be asked about is not the next one for ever. Its regular turn is
   * written with the answer: written before, it would put a payable account off for a day if the answer is lost.
   */
  private async ask(method: Method): Promise<AccountNews> {
    await this.methods.checked(method.id, WITHOUT_ANSWER_SECONDS);
    const known = await this.clients.byId(method.clientId);
    const news = known ? await this.accounts.run(known.client, method) : 'same';
    if (news === 'not_now') await this.methods.askSoon(method.payeeId, method.provider, method.providerAccountId);
    return news;
  }
}

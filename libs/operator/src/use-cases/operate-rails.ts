/** How rails stand, and which provider's account each is bound to, which an admin may change. */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { RailFunds } from '#libs/rail-kit';
import { type BoundAccount, type ClosedLane, RailCaller, RailIdentity, RailLanes, Rails } from '#libs/rail-registry';
import { RailDeeds } from './rail-deeds';

export interface RailStanding {
  name: string;
  configured: boolean;
  missingSettings: string[];
  healthy: boolean | null;
  funding: RailFunds[] | null;
  boundTo: BoundAccount | null;
  closed: ClosedLane | null;
  /** Since when owed rows wait for it to be compared with. */
  awaitedSince: Date | null;
}

/** Each question is a call that a payout could have made, and whoever looks may look without end. */
const FUNDING_KEPT_MS = 5_000;

const LISTS_ITSELF =
  'This rail lists what it moved, and is compared with each minute, or now by `reconcile`. After a restore that counts ten minutes later.';
const WILL_LIST =
  'This rail is not configured now, and listed what it moved when it was: nothing waits for it, and it will be compared with once it is again.';

interface AskedFunding {
  askedAt: number;
  answer: Promise<RailFunds[] | null>;
}

@Injectable()
export class OperateRails {
  private readonly funds = new Map<string, AskedFunding>();

  constructor(
    private readonly rails: Rails,
    private readonly caller: RailCaller,
    private readonly lanes: RailLanes,
    private readonly identity: RailIdentity,
    private readonly deeds: RailDeeds,
  ) {}

  async all(): Promise<RailStanding[]> {
    const [closed, awaited] = await Promise.all([this.lanes.closed(), this.lanes.awaited()]);
    return Promise.all(
      this.rails.all().map(async ({ definition: { name }, rail, missingSettings }) => ({
        ...{ name, missingSettings, configured: rail !== null, healthy: this.caller.healthOf(name) },
        funding: rail ? await this.fundingOf(name) : null,
        boundTo: await this.identity.bound(name),
        closed: closed.find((lane) => lane.rail === name) ?? null,
        awaitedSince: (rail && awaited.find((one) => one.rail === name)?.restoredAt) ?? null,
      })),
    );
  }

  /** Of all rails that tell. One that does not answer is left out. */
  async fundsOfAll(): Promise<(RailFunds & { rail: string })[]> {
    const carried = this.rails.all().filter(({ rail }) => rail !== null);
    const told = await Promise.all(
      carried.map(async ({ definition: { name: rail } }) => {
        const funds = await this.fundingOf(rail).catch(() => null);
        return (funds ?? []).map((each) => ({ rail, ...each }));
      }),
    );
    return told.flat();
  }

  /** To the account that its credentials speak to now, as its provider says just then. */
  async rebind(actor: string, name: string): Promise<BoundAccount> {
    if (!this.rails.find(name)?.rail) throw new Refusal('not_found', 'No rail of this name is configured here.');
    return this.deeds.rebound(actor, name, () => this.speaksTo(name));
  }

  /**
   * After a restore, with what it moved meanwhile: by somebody who looked there, because it lists nothing, or is bound to another account since.
   * `seen`: since when that was waited for, as they read it before.
   */
  async compared(actor: string, name: string, seen: Date | null = null): Promise<Date | null> {
    const registered = this.rails.find(name);
    if (!registered) throw new Refusal('not_found', 'There is no rail of this name here.');
    return this.deeds.compared(actor, { name, seen }, async () => {
      // One that is not configured may be some day, and all rows would wait then if it lists nothing.
      const lists = this.caller.listsMovements(name) || (!registered.rail && (await this.deeds.everListed(name)));
      if (lists && !(await this.deeds.awaitsAccountOfBefore(name)))
        throw new Refusal('illegal_transition', registered.rail ? LISTS_ITSELF : WILL_LIST);
      return { lists };
    });
  }

  private fundingOf(name: string): Promise<RailFunds[] | null> {
    const now = performance.now();
    const known = this.funds.get(name);
    if (known && now - known.askedAt < FUNDING_KEPT_MS) return known.answer;
    const answer = this.caller.funding(name);
    this.funds.set(name, { askedAt: now, answer });
    answer.catch(() => this.funds.delete(name)); // told to whoever asked
    return answer;
  }

  private async speaksTo(name: string): Promise<Pick<BoundAccount, 'account' | 'mode'>> {
    const said = await this.caller.verify(name);
    if (said === null)
      throw new Refusal(
        'illegal_transition',
        `Rail ${name} does not tell whose credentials it has, so it is bound to none.`,
      );
    if (said.kind === 'rejected')
      throw new Refusal('illegal_transition', `The provider rejects the credentials of rail ${name}: ${said.detail}`);
    if (said.kind === 'unknown')
      throw new Refusal('service_unavailable', `The provider of rail ${name} does not answer; try again in a while.`);
    return said;
  }
}

/** Puts a payout to its gates: collects, under the payees' locks, what they look at. */
import { Inject, Injectable } from '@nestjs/common';
import { type AmountGates, type Blocker, firstBlocker, type WhoGates } from '#libs/domain';
import type { Client } from '#libs/clients';
import { CONFIG, type Config } from '#libs/config';
import { type Payee, type PayeeFacts, PayeeRouting, type RoutingView } from '#libs/payees';
import {
  type Actor,
  blockedStep,
  goesElsewhere,
  heldByTest,
  IN_DISPUTE,
  isPinned,
  isSentByRequest,
  type Payout,
  type PayoutChange,
  submission,
  WENT_ELSEWHERE,
  withFacts,
  withStep,
} from '#libs/payout-rules';
import { amountComplaint, leastOf } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { WalletBook, walletKey, type WalletKey } from '#libs/wallets';
import type { RailFloors } from '../db/floor.reads';
import { PayoutReads } from '../db/payout.reads';
import type { RulesNow } from '../db/today';

/** What is known about the payees of one transaction. */
export interface GateView extends RoutingView, RulesNow {
  today: string;
  /** Payouts that wait for an operator: a rail says that it moved money for them, or for what their rows were on before. */
  disputed: Set<string>;
  /** By unsent payout of rows and rail, the account or address that its code went to there before. */
  sentToByCode: Map<string, string>;
  /** By payee and currency, kept up to date as payouts pass. */
  usedToday: Map<string, number>;
  /** How much the wallets of prepaid clients still cover; locked, and kept up to date too. */
  wallets: Map<string, number>;
}

export type ViewWithoutWallets = Omit<GateView, 'wallets'>;

/** Whose money a payout takes, and in which currency. */
interface Drawn {
  client: Client;
  currency: string;
}

type Route = Pick<Payout, 'provider' | 'custody' | 'accountId' | 'destination' | 'claimUrl' | 'codeSince'>;

export interface JudgeInput {
  client: Client;
  payee: Payee;
  bypassFloor: boolean;
  actor: Actor;
  /** A job asks about what its rows were on before, right before it sends them. */
  waitsForJob?: boolean;
}

@Injectable()
export class PayoutGates {
  constructor(
    private readonly routing: PayeeRouting,
    private readonly reads: PayoutReads,
    private readonly rails: Rails,
    private readonly wallets: WalletBook,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The payees, and the payouts that are there already, are locked by the caller's transaction. */
  async view(payeeIds: string[], drawn: Drawn[], payouts: Payout[] = []): Promise<GateView> {
    return this.withWallets(await this.withoutWallets(payeeIds, clientsOf(drawn), payouts), drawn);
  }

  async withWallets(view: ViewWithoutWallets, drawn: Drawn[]): Promise<GateView> {
    return { ...view, wallets: await this.wallets.lockAvailable(walletsOf(drawn, view)) };
  }

  /** The same for new payouts, without waiting for wallets that somebody else holds. */
  async viewOfFree(payeeIds: string[], drawn: Drawn[]): Promise<{ view: GateView; isBusy: (drawn: Drawn) => boolean }> {
    const view = await this.withoutWallets(payeeIds, clientsOf(drawn));
    const { available, busy } = await this.wallets.lockFree(walletsOf(drawn, view));
    return {
      view: { ...view, wallets: available },
      isBusy: (one) => walletsOf([one], view).some((key) => busy.has(walletKey(key))),
    };
  }

  /** For whoever has to know how a client stands before it is clear what is drawn. */
  async withoutWallets(payeeIds: string[], clientIds: string[], payouts: Payout[] = []): Promise<ViewWithoutWallets> {
    const ids = payouts.map(({ id }) => id);
    const [{ used, ...now }, routing, disputed, sentToByCode] = await Promise.all([
      this.reads.today(payeeIds, clientIds),
      this.routing.view(payeeIds, payouts.filter(isPinned)),
      this.reads.disputed(ids),
      this.reads.sentToByCode(ids),
    ]);
    return {
      ...routing,
      ...now,
      disputed,
      sentToByCode,
      usedToday: new Map(used.map(({ payeeId, currency, cents }) => [useKey(payeeId, currency), cents])),
    };
  }

  /** The steps a payout takes at its gates: through to its rail, or to the reason that holds or fails it. */
  judge(change: PayoutChange, view: GateView, asked: JudgeInput): PayoutChange {
    const payout = change.after;
    const judged = { ...asked, client: clientNow(asked.client, view) };
    const known = factsOf(judged, view);
    const route = this.routeOf(payout, known);
    const key = useKey(payout.payeeId, payout.currency);
    const amounts = this.amountGates(payout, route.provider, judged, view);
    const blocker =
      heldByTest(payout) ??
      this.standingBlocker(payout, route, view, judged) ??
      firstBlocker(this.whoOf(payout, route, known, view), amounts);
    // Its money may have moved before a restore, and left the wallet then: whoever calls it paid charges that.
    const drawing = payout.submittedAt === null ? withFacts(change, { prepaid: judged.client.prepaid }) : change;
    if (blocker) return withStep(drawing, blockedStep(blocker, judged.actor, route));
    view.usedToday.set(key, amounts.usedTodayCents + payout.amountCents);
    if (amounts.availableCents !== null)
      view.wallets.set(walletOf(payout), amounts.availableCents - payout.amountCents);
    const facts = { ...route, authorizedOn: view.today, prepaid: judged.client.prepaid };
    return this.passed(change, judged, { facts, view });
  }

  /** A payout that may have been sent is paid to its own account or address, whichever rail its payee uses by now. */
  private whoOf(payout: Payout, route: Route, known: PayeeFacts, { accounts }: GateView): WhoGates {
    const who = this.routing.gates(known, payout.currency, route);
    return { ...who, payee: { ...who.payee, payable: accounts.get(payout.id) ?? who.payee.payable } };
  }

  /** Owed money does not go to an address that was changed a short while ago. Neither does a payout held since before the change, however it was released. */
  private isCooling({ consolidates, submittedAt, status, createdAt }: Payout, client: Client, payee: Payee): boolean {
    if (submittedAt !== null || !this.routing.isRedirected(client, payee)) return false;
    return consolidates || (status === 'held' && payee.emailChangedAt !== null && createdAt < payee.emailChangedAt);
  }

  private standingBlocker(payout: Payout, route: Route, view: GateView, { client, payee }: JudgeInput): Blocker | null {
    const blocked = (detail: string): Blocker => ({ to: 'held', reason: 'route_blocked', detail });
    const [{ id, submittedAt }, country] = [payout, route.destination?.country];
    if (client.status === 'closed') return blocked('the client is closed');
    if (view.disputed.has(id)) return blocked(IN_DISPUTE);
    if (codeWentElsewhere(payout, route, view)) return blocked(WENT_ELSEWHERE);
    // Where it goes is fixed by now, wherever the payee has moved since.
    if (submittedAt !== null && country && view.table.blocked.has(country))
      return blocked(`the country ${country} is blocked by the operator`);
    // By the rail that it goes to now: what the payee resolves to may not be written yet.
    if (this.isCooling(payout, client, { ...payee, provider: route.provider }))
      return { to: 'held', reason: 'not_payable', detail: 'the e-mail address changed a short while ago' };
    return null;
  }

  /** Whether its payee's day has room for it, beside what the view let pass already. */
  fitsToday(payout: Payout, { client }: Pick<JudgeInput, 'client'>, view: GateView): boolean {
    const used = view.usedToday.get(useKey(payout.payeeId, payout.currency)) ?? 0;
    return used + payout.amountCents <= (clientNow(client, view).caps.dailyCents ?? this.config.dailyCapCents);
  }

  /** As it is by now: what the payee resolves to may not be written yet. */
  payeeNow(payee: Payee, client: Client, view: ViewWithoutWallets): Payee {
    return this.routing.resolved(factsOf({ client, payee }, view));
  }

  /** The rail that it goes by now; null if it waits for more than an amount: then it lifts no others over a floor. */
  railNow(payout: Payout, client: Client, payee: Payee, view: GateView): Pick<Payout, 'provider'> | null {
    const route = this.routeOf(payout, factsOf({ client, payee }, view));
    const stays = view.disputed.has(payout.id) || codeWentElsewhere(payout, route, view);
    return stays || this.isCooling(payout, client, { ...payee, provider: route.provider }) ? null : route;
  }

  /** Once bytes may have been sent to a rail, no other rail, account or address ever sees the payout. */
  private routeOf(payout: Payout, facts: PayeeFacts): Route {
    const { provider, custody, accountId, destination, claimUrl, codeSince } = payout;
    if (payout.submittedAt) return { provider, custody, accountId, destination, claimUrl, codeSince };
    const { email, name, country } = facts.payee;
    const payerName = facts.client.name;
    const rail = this.routing.railOf(facts);
    const itsCustody = this.rails.custodyOf(rail, payout.reason);
    return {
      provider: rail,
      custody: itsCustody,
      claimUrl: this.rails.linkAtFirst(rail, itsCustody),
      accountId: facts.method?.providerAccountId ?? null,
      destination: { email, name, country, payerName },
      // What another rail knew of its code this one does not.
      codeSince: provider === null || provider === rail ? codeSince : null,
    };
  }

  /** Its rail may have paid something since a backup was made, and not know it again: what it lists is compared with first. */
  waitsForLists(payout: Payout, { comparedAgo, awaited }: Pick<GateView, 'comparedAgo' | 'awaited'>): boolean {
    return this.rails.mayHaveMoved(payout, { comparedAgo: comparedAgo[payout.provider ?? ''] ?? null, awaited });
  }

  async waitsForListsNow(payout: Payout): Promise<boolean> {
    return this.waitsForLists(payout, await this.reads.today([payout.payeeId], [payout.clientId]));
  }

  /**
   * The payouts of a suspended client wait before they are sent, and so do those of a rail whose lists have to be compared first, or to
   * which nothing is sent for now.
   */
  private passed(
    change: PayoutChange,
    { actor, client, waitsForJob = false }: JudgeInput,
    { facts, view }: { facts: Partial<Payout>; view: GateView },
  ): PayoutChange {
    const { status } = change.after;
    if (status === 'failed')
      return { ...withStep(change, { on: 'retry', actor, facts: { ...facts, toSend: true } }), byJob: waitsForJob };
    const authorized = withStep(change, { on: status === 'held' ? 'release' : 'route', actor, facts });
    const waits = waitsForJob || client.status !== 'active' || this.waitsForRail(authorized.after, view);
    const now = !waits && isSentByRequest(authorized.after, this.rails.traits(authorized.after.provider));
    return now ? withStep(authorized, submission(actor)) : authorized;
  }

  private waitsForRail(payout: Payout, view: GateView): boolean {
    return this.waitsForLists(payout, view) || view.closedLanes.includes(payout.provider ?? '');
  }

  private amountGates(
    payout: Payout,
    provider: string | null,
    { client, bypassFloor }: JudgeInput,
    view: GateView,
  ): AmountGates {
    const traits = this.rails.traits(provider);
    return {
      amountCents: payout.amountCents,
      singleCapCents: client.caps.singleCents ?? this.config.singleCapCents,
      dailyCapCents: client.caps.dailyCents ?? this.config.dailyCapCents,
      usedTodayCents: view.usedToday.get(useKey(payout.payeeId, payout.currency)) ?? 0,
      floorCents: this.floorOf(client, provider, payout.currency),
      bypassFloor,
      notTaken: traits && amountComplaint(traits, payout.amountCents, payout.currency),
      availableCents: client.prepaid ? (view.wallets.get(walletOf(payout)) ?? 0) : null,
    };
  }

  /** By rail: its floor for clients that have none of their own, and what it takes at least, by currency. */
  floors(): RailFloors {
    return Object.fromEntries(
      this.rails.all().map(({ definition: { name }, traits }) => {
        const leasts = Object.keys(traits.amounts ?? {}).map(
          (currency) => [currency, leastOf(traits, currency)] as const,
        );
        return [name, { floorCents: traits.floorCents, leasts: Object.fromEntries(leasts) }];
      }),
    );
  }

  /** The least that this rail pays out. A client's own floor may be below the rail's usual one, but not below what it takes at all. */
  floorOf(client: Pick<Client, 'floors'>, provider: string | null, currency: string): number {
    const traits = this.rails.traits(provider);
    const least = traits && leastOf(traits, currency);
    const own = provider ? client.floors[provider] : undefined;
    return Math.max(own ?? least ?? traits?.floorCents ?? 0, least ?? 0);
  }
}

/** The client with the settings that it has by now, whatever they were when somebody began. */
export const clientNow = (client: Client, { clients }: Pick<GateView, 'clients'>): Client => ({
  ...client,
  ...clients[client.id],
});

const factsOf = ({ client, payee }: Pick<JudgeInput, 'client' | 'payee'>, view: RoutingView): PayeeFacts => ({
  client,
  payee,
  method: view.methods.get(payee.id) ?? null,
  table: view.table,
});

const codeWentElsewhere = ({ id }: Payout, route: Route, { sentToByCode }: GateView): boolean =>
  goesElsewhere(route, sentToByCode.get(`${id} ${route.provider}`));

const clientsOf = (drawn: Drawn[]): string[] => drawn.map(({ client }) => client.id);
const walletsOf = (drawn: Drawn[], view: Pick<GateView, 'clients'>): WalletKey[] =>
  drawn
    .filter(({ client }) => clientNow(client, view).prepaid)
    .map(({ client: { id }, currency }) => ({ clientId: id, currency }));
const walletOf = ({ clientId, currency }: Payout): string => walletKey({ clientId, currency });
const useKey = (payeeId: string, currency: string): string => `${payeeId} ${currency}`;

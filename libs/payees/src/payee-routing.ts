/** Which rail a payee resolves to now, and what stands between the payee and being paid there. */
import { Injectable } from '@nestjs/common';
import { type Blocker, type GateRail, identityBlockers, routeTo, type WhoGates } from '#libs/domain';
import { type Client, ClientRegistry } from '#libs/clients';
import { servesCurrency, TEST_RAIL } from '#libs/rail-kit';
import { Rails } from '#libs/rail-registry';
import { MethodStore, type PaidAccount } from './db/method.store';
import { RouteReads, type RoutingTable } from './db/route.reads';
import type { Method, Payee } from './payee';
import { CoolDown } from './use-cases/cool-down';

export interface PayeeFacts {
  client: Client;
  payee: Payee;
  method: Method | null;
  table: RoutingTable;
}

export interface RoutingView {
  table: RoutingTable;
  methods: Map<string, Method>;
  /** Whether the accounts of these payouts are payable, by the ids of those that may have been sent already. */
  accounts: Map<string, boolean>;
}

type Pinned = Pick<PaidAccount, 'provider' | 'accountId'>;

@Injectable()
export class PayeeRouting {
  constructor(
    private readonly rails: Rails,
    private readonly methods: MethodStore,
    private readonly routes: RouteReads,
    private readonly coolDown: CoolDown,
    private readonly clients: ClientRegistry,
  ) {}

  /** The view that routing decides by, for payees that are locked or only read. `pinned`: the accounts of payouts that may have been sent. */
  async view(payeeIds: string[], pinned: PaidAccount[] = []): Promise<RoutingView> {
    const [methods, table, accounts] = await Promise.all([
      this.methods.activeOfAll(payeeIds),
      this.routes.table(),
      this.methods.payable(pinned),
    ]);
    return { table, accounts, methods: new Map(methods.map((method) => [method.payeeId, method])) };
  }

  /** By the client's settings as they are stored: another process may have changed them, and resolved its payees again by now. */
  async facts(client: Client, payee: Payee): Promise<PayeeFacts> {
    const [{ table, methods }, stored] = await Promise.all([this.view([payee.id]), this.clients.stored(client.id)]);
    return { client: stored ?? client, payee, method: methods.get(payee.id) ?? null, table };
  }

  /** The payee with the rail and the payability that follow from everything known. */
  resolved(facts: PayeeFacts): Payee {
    const provider = this.railOf(facts);
    return { ...facts.payee, provider, payable: this.isPayable(provider, facts) };
  }

  private isPayable(provider: string | null, facts: PayeeFacts): boolean {
    const custody = this.rails.traits(provider)?.custody ?? 'custodial';
    return provider !== null && (custody !== 'custodial' || hasPayableAccount(facts));
  }

  railOf({ client, payee, method, table }: PayeeFacts): string | null {
    return routeTo({
      testMode: client.testMode,
      testRail: TEST_RAIL,
      methodProvider: method?.provider ?? null,
      country: payee.country,
      table: table.rails,
      allowList: client.railAllowList,
      serves: (rail, country) => this.rails.serves(rail, country),
    });
  }

  /** `pinned`: where a payout goes that may have been sent already, whatever rail, account or address the payee has now. */
  gates(facts: PayeeFacts, currency: string | null, pinned?: Pinned): WhoGates {
    const { client, method, table } = facts;
    const payee = this.resolved(facts);
    const provider = pinned?.provider ?? payee.provider;
    const account = pinned && pinned.accountId !== method?.providerAccountId ? null : method;
    return {
      testMode: client.testMode,
      payee: { ...payee, payable: this.isPayable(provider, facts) },
      countryBlocked: payee.country !== null && table.blocked.has(payee.country),
      rail: provider === null ? null : this.railGates(provider, client, payee.country, currency),
      allowList: client.railAllowList,
      accountCountry: client.testMode ? null : (account?.accountCountry ?? null),
    };
  }

  private railGates(name: string, client: Client, country: string | null, currency: string | null): GateRail {
    const registered = this.rails.find(name);
    const traits = registered?.traits ?? null;
    return {
      name,
      implemented: registered !== null,
      configured: registered?.rail != null,
      servesCountry: country === null || this.rails.serves(name, country),
      servesCurrency: currency === null || traits === null || servesCurrency(traits, currency, country),
      checksAsAsked: !client.checksPayees || traits?.checksPayees !== undefined || !this.goesOnUnchecked(name),
    };
  }

  /** Where payees say where their money goes, or are led to it from their wallet, nobody else checks them. */
  private goesOnUnchecked(name: string): boolean {
    return this.rails.traits(name)?.custody === 'swap' || this.rails.leadsPayees(name);
  }

  /**
   * Also by the rail that the payee would be paid over now: a route may be new, and what follows from it not be written yet, and
   * it pays to an address that was changed a short while ago.
   */
  async refuseWhileCooling(client: Client, payee: Payee): Promise<void> {
    const facts = await this.facts(client, payee);
    for (const rail of [payee.provider, this.railOf(facts)])
      this.coolDown.refuseWhileCooling(facts.client, { ...payee, provider: rail });
  }

  /** The payee is paid by an address that was changed a short while ago. */
  isRedirected(client: Client, payee: Payee): boolean {
    return this.coolDown.isRedirected(client, payee);
  }

  blockers(facts: PayeeFacts): Blocker[] {
    return identityBlockers(this.gates(facts, null));
  }
}

/** In test mode finishing the hosted page needs no account of its own. */
function hasPayableAccount({ client, payee, method }: PayeeFacts): boolean {
  if (method) return method.payable;
  return client.testMode && payee.kycStatus === 'verified' && payee.onboardingStatus === 'complete';
}

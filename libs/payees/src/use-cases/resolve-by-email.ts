/** Payees named by an e-mail address: the client's oldest with that address, or a new one where there is none. */
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import type { Client } from '#libs/auth';
import { PayeeReads } from '../db/payee.reads';
import { PayeeStore } from '../db/payee.store';
import type { Payee } from '../payee';
import { PayeeRouting } from '../payee-routing';

export const externalIdOf = (email: string): string => `email:${email}`;

@Injectable()
export class ResolveByEmail {
  constructor(
    private readonly reads: PayeeReads,
    private readonly payees: PayeeStore,
    private readonly routing: PayeeRouting,
  ) {}

  /** Those that are there already, by their address. */
  async known(client: Client, emails: string[]): Promise<Map<string, string>> {
    return emails.length === 0 ? new Map() : this.reads.oldestByEmail(client.id, [...new Set(emails)]);
  }

  /** Makes those that are not; of many calls at once one makes a payee, and the others find it. */
  async create(client: Client, emails: string[]): Promise<Map<string, string>> {
    if (emails.length === 0) return new Map();
    const fresh = await Promise.all([...new Set(emails)].map((email) => this.fresh(client, email)));
    await this.payees.insertAll(fresh);
    const ids = await this.reads.idsByExternalId(
      client.id,
      fresh.map(({ externalId }) => externalId),
    );
    return new Map(emails.map((email) => [email, ids.get(externalIdOf(email)) as string]));
  }

  private async fresh(client: Client, email: string): Promise<Payee> {
    const payee = { ...EMPTY, id: newId(), clientId: client.id, externalId: externalIdOf(email), email };
    return this.routing.resolved({ client, payee, method: null, table: NO_ROUTES });
  }
}

/** Without a country no table is asked. */
const NO_ROUTES = { rails: {}, blocked: new Set<string>() };

const EMPTY = {
  name: null,
  country: null,
  metadata: {},
  provider: null,
  payable: false,
  kycStatus: 'not_started',
  kycReason: null,
  onboardingStatus: 'not_started',
  blocked: false,
  blockReason: null,
  coolingUntil: null,
  eventSequence: 0,
  createdAt: undefined as unknown as Date,
  updatedAt: undefined as unknown as Date,
} as const;

/** Payees named by an e-mail address: the client's oldest with that address, or a new one if there is none. */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { newId } from '#libs/domain';
import type { Client } from '#libs/clients';
import { PayeeReads } from '../db/payee.reads';
import { PayeeStore } from '../db/payee.store';
import type { Payee } from '../payee';
import { PayeeRouting } from '../payee-routing';

const MOST_NAMES = 20;
/** With the number of an attempt behind it, 255 at most. */
const LONGEST_NAME = 250;

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

  /**
   * Makes those that are not; of many calls at once one makes a payee, and the others find it. An externalId that stands
   * for another address by now is left alone: its payee must not get what this address is owed.
   */
  async create(client: Client, emails: string[]): Promise<Map<string, string>> {
    const made = new Map<string, string>();
    for (let attempt = 1; attempt <= MOST_NAMES; attempt += 1) {
      const missing = [...new Set(emails)].filter((email) => !made.has(email));
      if (missing.length === 0) return made;
      await this.payees.insertAll(missing.map((email) => this.fresh(client, email, attempt)));
      for (const [email, id] of await this.reads.oldestByEmail(client.id, missing)) made.set(email, id);
    }
    throw new Error('A payee for an address could not be made: each of its names belongs to another address.');
  }

  private fresh(client: Client, email: string, attempt: number): Payee {
    const externalId = `${nameOf(email)}${attempt === 1 ? '' : `:${attempt}`}`;
    const payee = { ...EMPTY, id: newId(), clientId: client.id, externalId, email };
    return this.routing.resolved({ client, payee, method: null, table: NO_ROUTES });
  }
}

/** An address may be longer than what callers can give as an externalId: then its digest stands for it. */
function nameOf(email: string): string {
  const name = `email:${email}`;
  return name.length <= LONGEST_NAME ? name : `email:sha256:${createHash('sha256').update(email).digest('hex')}`;
}

/** Without a country no table is asked. */
const NO_ROUTES = { rails: {}, blocked: new Set<string>() };

const EMPTY = {
  name: null,
  country: null,
  locale: null,
  metadata: {},
  provider: null,
  payable: false,
  kycStatus: 'not_started',
  kycReason: null,
  onboardingStatus: 'not_started',
  blocked: false,
  blockReason: null,
  coolingUntil: null,
  emailChangedAt: null,
  identityChangedAt: null,
  eventSequence: 0,
  createdAt: undefined as unknown as Date,
  updatedAt: undefined as unknown as Date,
} as const;

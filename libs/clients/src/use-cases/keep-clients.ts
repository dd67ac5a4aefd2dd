/** Makes clients and changes their settings, in the transaction of whoever asks for it and writes down who that was. */
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DEFAULT_SCOPES, EVENT_TYPES, invalidField, newId, Refusal } from '#libs/domain';
import { Jobs } from '#libs/jobs';
import type { Client, ClientSettings } from '../client';
import { ClientRegistry } from '../client-registry';
import { ClientStore } from '../db/client.store';

const DEFAULTS: Omit<ClientSettings, 'name'> = {
  status: 'active',
  testMode: false,
  statusVersion: 1,
  scopes: [...DEFAULT_SCOPES],
  webhookUrl: null,
  eventTypes: [...EVENT_TYPES],
  railAllowList: null,
  prepaid: false,
  defaultCurrency: 'USD',
  caps: {},
  floors: {},
  withdrawPolicy: {},
  rateLimitPerMinute: null,
  requireSignatureV2: false,
  coolDownSeconds: null,
  locale: null,
  brand: {},
  autoRelease: [],
  mails: {},
  checksPayees: false,
};

/** They decide over which rail its payees are paid, and how long what they are owed waits. A client itself can change none of them. */
const TERMS = ['status', 'railAllowList', 'prepaid', 'coolDownSeconds'] as const satisfies (keyof ClientSettings)[];

/** `id`: that it had, if a restored database has lost it. The codes by which rails know its payments are made of it. */
export type NewClient = Partial<ClientSettings> & { name: string; id?: string };

@Injectable()
export class KeepClients {
  constructor(
    private readonly store: ClientStore,
    private readonly registry: ClientRegistry,
    private readonly jobs: Jobs,
  ) {}

  async create({ id = newId(), ...wanted }: NewClient): Promise<Client> {
    const client = await this.store.insert(id, { ...DEFAULTS, ...known(wanted), name: wanted.name });
    if (!client) throw invalidField('id', 'is the id of a client that is there');
    return client;
  }

  /** Nobody else changes it before the caller's transaction ends. */
  async hold(id: string): Promise<Client> {
    const client = await this.store.lock(id);
    if (!client) throw new Refusal('client_not_found');
    return client;
  }

  /**
   * Every process hears of it. If its terms changed its payees are resolved again, and what waited for it to be active, for funds or for a
   * cool-down goes on; with any other change, of which a client makes as many as it likes, all of that would be looked at for nothing.
   */
  async change(id: string, wanted: Partial<ClientSettings>): Promise<{ before: Client; after: Client }> {
    const before = await this.hold(id);
    if (wanted.testMode !== undefined && wanted.testMode !== before.testMode)
      throw invalidField('testMode', 'cannot be changed: a client is for tests or for real money from its start');
    if (before.status === 'closed' && (wanted.status ?? 'closed') !== 'closed')
      throw new Refusal('illegal_transition', 'A closed client stays closed. Make a new one.');
    const after = await this.store.update(id, { ...before, ...known(wanted) });
    this.registry.changed(id);
    if (TERMS.some((term) => !isDeepStrictEqual(before[term], after[term])))
      await this.jobs.tell('client.terms_changed', [{ entityId: id, lane: id }]);
    if (before.status === 'suspended' && after.status === 'active')
      await this.jobs.tell('client.resumed', [{ entityId: id, lane: id }]);
    return { before, after };
  }
}

/** A property that was left out must not overwrite one that is there. */
function known<T extends object>(wanted: T): Partial<T> {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Partial<T>;
}

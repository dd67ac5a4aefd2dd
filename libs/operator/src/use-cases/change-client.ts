/** Changes, suspends or closes a client. Every process hears of it, and its payees are resolved again. */
import { Injectable } from '@nestjs/common';
import { invalidField, Refusal } from '#libs/domain';
import { type Client, ClientRegistry, type ClientSettings, ClientStore } from '#libs/auth';
import { Db } from '#libs/db';
import { NOT_THERE } from '#libs/http-kit';
import { Jobs } from '#libs/jobs';
import { AuditStore } from '../db/audit.store';
import { known } from './provision-clients';

@Injectable()
export class ChangeClient {
  constructor(
    private readonly db: Db,
    private readonly clients: ClientStore,
    private readonly registry: ClientRegistry,
    private readonly audit: AuditStore,
    private readonly jobs: Jobs,
  ) {}

  run(actor: string, id: string, wanted: Partial<ClientSettings>): Promise<Client> {
    return this.db.inTransaction(async () => {
      const before = await this.clients.lock(id);
      if (!before) throw new Refusal('client_not_found', NOT_THERE);
      if (wanted.testMode !== undefined && wanted.testMode !== before.testMode)
        throw invalidField('testMode', 'cannot be changed: a client is for tests or for real money from its start');
      if (before.status === 'closed' && (wanted.status ?? 'closed') !== 'closed')
        throw new Refusal('illegal_transition', 'A closed client stays closed. Make a new one.');
      const client = (await this.clients.update(id, { ...before, ...known(wanted) })) as Client;
      this.registry.changed(id);
      const resumes = before.status === 'suspended' && client.status === 'active';
      const names = ['payees.resolve', ...(resumes ? (['payouts.resume', 'owed.funded'] as const) : [])] as const;
      await this.jobs.add(names.map((name) => ({ name, entityId: id, lane: id })));
      await this.audit.add({ actor, action: 'client.updated', clientId: id, before, after: client });
      return client;
    });
  }
}

/** Changes, suspends or closes a client, with its line in the audit log. */
import { Injectable } from '@nestjs/common';
import type { Asker } from '#libs/auth';
import { type Client, type ClientSettings, KeepClients } from '#libs/clients';
import { Db } from '#libs/db';
import { AuditStore } from '../db/audit.store';

/** Each kind of change has a word of its own: whoever looks for who suspended a client finds it by that. */
const actionOf = { active: 'client.resumed', suspended: 'client.suspended', closed: 'client.closed' } as const;

@Injectable()
export class ChangeClient {
  constructor(
    private readonly db: Db,
    private readonly clients: KeepClients,
    private readonly audit: AuditStore,
  ) {}

  run(asker: Asker, id: string, wanted: Partial<ClientSettings>): Promise<Client> {
    return this.db.inTransaction(async () => {
      await this.clients.hold(id);
      await asker.checkAgain();
      const { before, after } = await this.clients.change(id, wanted);
      const action = before.status === after.status ? 'client.updated' : actionOf[after.status];
      await this.audit.add({ actor: asker.actor, action, clientId: id, before, after });
      return after;
    });
  }
}

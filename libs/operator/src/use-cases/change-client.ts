/** Changes, suspends or closes a client, with its line in the audit log. */
import { Injectable } from '@nestjs/common';
import type { Asker } from '#libs/auth';
import { type Client, type ClientSettings, KeepClients } from '#libs/clients';
import { Db } from '#libs/db';
import { AuditStore } from '../db/audit.store';
import { deedOf, RecordDeeds } from './record-deeds';

/** Each kind of change has a word of its own: whoever looks for who suspended a client finds it by that. */
const actionOf = { active: 'client.resumed', suspended: 'client.suspended', closed: 'client.closed' } as const;
const UPDATE = deedOf('client', 'update', 'updated');

@Injectable()
export class ChangeClient {
  constructor(
    private readonly db: Db,
    private readonly clients: KeepClients,
    private readonly audit: AuditStore,
    private readonly deeds: RecordDeeds,
  ) {}

  run(asker: Asker, id: string, wanted: Partial<ClientSettings>): Promise<Client> {
    const { actor } = asker;
    const change = async (): Promise<Client> => {
      await this.clients.hold(id);
      await asker.checkAgain();
      const { before, after } = await this.clients.change(id, wanted);
      const action = before.status === after.status ? UPDATE.done : actionOf[after.status];
      await this.audit.add({ actor, action, clientId: id, before, after });
      return after;
    };
    return this.deeds.orRefused(UPDATE, { actor, clientId: id }, () => this.db.inTransaction(change));
  }
}

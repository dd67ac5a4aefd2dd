/**
 * An operator's deeds with clients. Every change and its line in the audit log are one transaction, which also checks the operator again.
 */
import { Injectable } from '@nestjs/common';
import { Refusal } from '#libs/domain';
import type { Asker } from '#libs/auth';
import { type Client, ClientReads, IssueCredentials, KeepClients, type KeyRow, type NewClient } from '#libs/clients';
import { Db } from '#libs/db';
import { AuditStore } from '../db/audit.store';

export interface ProvisionedClient {
  client: Client;
  apiKey: string;
  signingSecret: string;
}

@Injectable()
export class ProvisionClients {
  constructor(
    private readonly db: Db,
    private readonly reads: ClientReads,
    private readonly clients: KeepClients,
    private readonly credentials: IssueCredentials,
    private readonly audit: AuditStore,
  ) {}

  create(asker: Asker, wanted: NewClient): Promise<ProvisionedClient> {
    return this.audit.shownOnce(async (line) => {
      await asker.checkAgain();
      const client = await this.clients.create(wanted);
      const { apiKey } = await this.credentials.apiKey(client, 0);
      const signingSecret = await this.credentials.signingSecret(client, 0);
      await this.audit.add({ actor: asker.actor, action: 'client.created', clientId: client.id, after: client }, line);
      return { client, apiKey, signingSecret };
    });
  }

  async rotateKey(asker: Asker, id: string, overlapSeconds: number): Promise<{ keyId: string; apiKey: string }> {
    return this.recorded(
      { asker, id, action: 'client.key_rotated', overlapSeconds },
      {
        issue: (client) => this.credentials.apiKey(client, overlapSeconds),
        inUse: () => this.reads.goodKeysOf(id),
      },
    );
  }

  async rotateSigningSecret(asker: Asker, id: string, overlapSeconds: number): Promise<string> {
    return this.recorded(
      { asker, id, action: 'client.signing_secret_rotated', overlapSeconds },
      {
        issue: (client) => this.credentials.signingSecret(client, overlapSeconds),
        inUse: () => this.reads.secretsOf([id]),
      },
    );
  }

  /** `judge`: may be against it, by what keys are good while nobody makes or revokes another. */
  async revokeKey(
    asker: Asker,
    id: string,
    keyId: string,
    judge: (keys: KeyRow[]) => void = () => undefined,
  ): Promise<KeyRow> {
    return this.db.inTransaction(async () => {
      if (!(await this.reads.key(id, keyId))) throw new Refusal('key_not_found');
      await this.clients.hold(id);
      await asker.checkAgain();
      judge(await this.reads.goodKeysOf(id));
      const before = await this.reads.key(id, keyId);
      const key = before && (await this.credentials.revokeKey(id, keyId));
      if (!key) throw new Refusal('key_not_found');
      const line = { actor: asker.actor, action: 'client.key_revoked', clientId: id, target: keyId };
      await this.audit.add({ ...line, before, after: key });
      return key;
    });
  }

  private recorded<T>(
    { asker, id, action, overlapSeconds }: { asker: Asker; id: string; action: string; overlapSeconds: number },
    { issue, inUse }: { issue: (client: Client) => Promise<T>; inUse: () => Promise<Expiring[]> },
  ): Promise<T> {
    return this.audit.shownOnce(async (line) => {
      const client = await this.clients.hold(id);
      await asker.checkAgain();
      const before = { inUse: (await inUse()).map(expiryOf) };
      const issued = await issue(client);
      const after = { inUse: (await inUse()).map(expiryOf), overlapSeconds };
      await this.audit.add({ actor: asker.actor, action, clientId: id, before, after }, line);
      return issued;
    });
  }
}

interface Expiring {
  id: string;
  expiresAt: Date | null;
}

/** Which of them, and until when: nothing of what they are. */
const expiryOf = ({ id, expiresAt }: Expiring): Expiring => ({ id, expiresAt });

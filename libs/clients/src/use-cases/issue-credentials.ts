/** Makes, rotates and revokes the credentials of a client. What is made is shown once; a digest or a sealed text stays. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { digest, newId, newSigningSecret, newToken, SecretBox, tokenHint } from '#libs/domain';
import { Db } from '#libs/db';
import type { Client } from '../client';
import { ClientRegistry } from '../client-registry';
import { ClientReads, type KeyRow } from '../db/client.reads';
import { ClientStore } from '../db/client.store';
import { signingSecretOf } from '../signing-secret';

const REWRAP_PAGE = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class IssueCredentials implements OnModuleInit {
  constructor(
    private readonly reads: ClientReads,
    private readonly store: ClientStore,
    private readonly registry: ClientRegistry,
    private readonly box: SecretBox,
    private readonly db: Db,
  ) {}

  /** The other keys work on until the overlap ends. */
  apiKey(client: Client, overlapSeconds: number): Promise<{ keyId: string; apiKey: string }> {
    return this.db.inTransaction(async () => {
      const apiKey = newToken(client.testMode ? 'gw_test' : 'gw_live');
      const keyId = newId();
      await this.store.expireKeys(client.id, overlapSeconds);
      await this.store.insertKey({ id: keyId, clientId: client.id, hint: tokenHint(apiKey), digest: digest(apiKey) });
      this.registry.changed(client.id);
      return { keyId, apiKey };
    });
  }

  signingSecret(client: Client, overlapSeconds: number): Promise<string> {
    return this.db.inTransaction(async () => {
      const secret = newSigningSecret();
      await this.store.expireSecrets(client.id, overlapSeconds);
      const sealed = this.box.seal(secret, signingSecretOf(client.id));
      await this.store.insertSecret({ id: newId(), clientId: client.id, sealed });
      this.registry.changed(client.id);
      return secret;
    });
  }

  async revokeKey(clientId: string, keyId: string): Promise<KeyRow | null> {
    const revoked = await this.store.revokeKey(clientId, keyId);
    this.registry.changed(clientId);
    return revoked;
  }

  /** Seals every secret again with the first master key; can be stopped and run again at any time. */
  async rewrap(): Promise<{ checked: number; rewrapped: number }> {
    let checked = 0;
    let rewrapped = 0;
    let page = await this.reads.secretsAfter(BEFORE_ALL, REWRAP_PAGE);
    while (page.length > 0) {
      for (const { id, clientId, sealed } of page) {
        checked += 1;
        if (this.box.isCurrent(sealed)) continue;
        const boundTo = signingSecretOf(clientId);
        if (await this.store.reseal(id, sealed, this.box.seal(this.box.open(sealed, boundTo), boundTo))) rewrapped += 1;
      }
      page = await this.reads.secretsAfter(page[page.length - 1]?.id ?? '', REWRAP_PAGE);
    }
    return { checked, rewrapped };
  }

  /** A secret that cannot be opened is found at the start, before any request or job needs it. */
  async onModuleInit(): Promise<void> {
    let page = await this.reads.secretsAfter(BEFORE_ALL, REWRAP_PAGE);
    while (page.length > 0) {
      for (const { clientId, sealed } of page) this.box.open(sealed, signingSecretOf(clientId));
      page = await this.reads.secretsAfter(page[page.length - 1]?.id ?? '', REWRAP_PAGE);
    }
  }
}

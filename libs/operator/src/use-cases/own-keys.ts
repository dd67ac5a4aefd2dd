/** A client's own keys: the same deeds as an operator's, but nobody locks themselves out by them. */
import { Injectable } from '@nestjs/common';
import { digest, Refusal } from '#libs/domain';
import type { Asker } from '#libs/auth';
import { ClientReads, type KeyRow } from '#libs/clients';
import { ProvisionClients } from './provision-clients';

@Injectable()
export class OwnKeys {
  constructor(
    private readonly reads: ClientReads,
    private readonly provision: ProvisionClients,
  ) {}

  async list(clientId: string, usedKey: string): Promise<(KeyRow & { inUse: boolean })[]> {
    const used = await this.reads.keyIdOf(digest(usedKey));
    return (await this.reads.keysOf(clientId)).map((key) => ({ ...key, inUse: key.id === used }));
  }

  rotate(asker: Asker, clientId: string, overlapSeconds: number): Promise<{ keyId: string; apiKey: string }> {
    return this.provision.rotateKey(asker, clientId, overlapSeconds);
  }

  /** Never the one that asks for it, which has to be good for longer: another one is left then for certain. */
  async revoke(
    asker: Asker,
    clientId: string,
    { keyId, usedKey }: { keyId: string; usedKey: string },
  ): Promise<KeyRow> {
    const used = await this.reads.keyIdOf(digest(usedKey));
    if (used === keyId) throw new Refusal('illegal_transition', OWN);
    return this.provision.revokeKey(asker, clientId, keyId, (keys) => {
      if (!keys.some((key) => key.id === used && isForGood(key))) throw new Refusal('illegal_transition', ENDS);
    });
  }
}

const isForGood = ({ revokedAt, expiresAt }: KeyRow): boolean => revokedAt === null && expiresAt === null;

const ENDS = 'This request is signed with a key that is about to end. Revoke others with the newest one.';
const OWN = 'This request is signed with that key. Make a new one first, and revoke this one with it.';

/**
 * Clients by key and by id, kept in memory: every request needs one. A change made anywhere is signalled to every process;
 * should a signal be lost, nothing older than a few seconds is used.
 */
import { Injectable } from '@nestjs/common';
import { Batcher } from '#libs/batcher';
import { type Clock, deadlineIn, digest, SecretBox } from '#libs/domain';
import { InjectClock } from '#libs/clock';
import { Db, Signals } from '#libs/db';
import type { Client, ExpiringSecret } from './client';
import { ClientReads, type KeyRow } from './db/client.reads';
import { LookUps } from './look-ups';
import { signingSecretOf } from './signing-secret';

const CHANNEL = 'gw_client';
const MAX_AGE_MS = 5_000;
const MAX_KEYS = 10_000;
const REREAD_MS = 100;
/** Readings under way, and clients that share one. */
const READINGS = { atOnce: 2, most: 500 };

export interface KnownClient {
  client: Client;
  /** Those that still verify; the first one signs. */
  secrets: ExpiringSecret[];
}

interface Kept<T> {
  value: T;
  readAt: number;
  isOld: () => boolean;
}

/** An error is of one whose secrets cannot be opened, and of nobody read with it. */
type Found = KnownClient | Error | null;

@Injectable()
export class ClientRegistry {
  private readonly clients = new Map<string, Kept<KnownClient>>();
  private readonly keys = new Map<string, Kept<KeyRow>>();
  private readonly lookUps = new LookUps((digests) => this.reads.findKeys(digests));
  /** Whoever knows a key, and no secret, asks for its client as often as they like: all that come together read it once. */
  private readonly readings = new Batcher<string, Found>((ids) => this.readTogether(ids), READINGS);
  /** How many changes were heard of. What was being read when one was heard of may be older than it, and is not kept. */
  private changesHeard = 0;

  constructor(
    private readonly reads: ClientReads,
    private readonly box: SecretBox,
    private readonly db: Db,
    private readonly signals: Signals,
    @InjectClock() private readonly clock: Clock,
  ) {
    signals.listen(CHANNEL, (clientId) => this.forget(clientId));
  }

  /** The client a key belongs to, while the key is good. `suspect`: whoever asks has failed often. */
  async byKey(apiKey: string, suspect: boolean): Promise<KnownClient | null> {
    const key = await this.key(digest(apiKey), suspect);
    if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= this.clock.now())) return null;
    return this.byId(key.clientId);
  }

  async byId(clientId: string): Promise<KnownClient | null> {
    const kept = fresh(this.clients.get(clientId));
    if (kept) return { ...kept, secrets: kept.secrets.filter(({ expiresAt }) => this.valid(expiresAt)) };
    return this.readAgain(clientId);
  }

  /**
   * As it is in the database now: a secret that was just made works at once, in processes too that have not heard of it.
   * null if it was read a moment ago: whoever guesses secrets must not make the database busy.
   */
  async reread(clientId: string): Promise<KnownClient | null> {
    const kept = this.clients.get(clientId);
    if (!kept || performance.now() - kept.readAt < REREAD_MS) return null;
    return this.readAgain(clientId);
  }

  /** As it is in the database now: before something is given up for good by what was kept. */
  async readAgain(clientId: string): Promise<KnownClient | null> {
    const alone = (): Promise<Found> => this.readTogether([clientId]).then(([found]) => found ?? null);
    return opened(await (this.db.isInTransaction ? alone() : this.readings.add(clientId)));
  }

  /** The settings as they are stored now; read in the caller's transaction if there is one, and not kept: for decisions that are stored. */
  stored(clientId: string): Promise<Client | null> {
    return this.reads.find(clientId);
  }

  /** A key's client with its secrets, as they are stored now; read in the caller's transaction and not kept: for deeds that have waited. */
  async storedByKey(apiKey: string): Promise<KnownClient | null> {
    const key = await this.reads.goodKey(digest(apiKey));
    return key && opened((await this.read([key.clientId])).get(key.clientId) ?? null);
  }

  /** Tells every process, in the transaction of the change: they hear of it once it is committed. */
  changed(clientId: string): void {
    this.signals.sendWithCommit(CHANNEL, clientId);
    this.db.afterCommit(() => this.forget(clientId));
  }

  private async readTogether(ids: string[]): Promise<Found[]> {
    const keepers = new Map(ids.map((id) => [id, this.keeper(this.clients, id)]));
    const read = await this.read([...keepers.keys()]);
    for (const [id, found] of read) if (!(found instanceof Error)) keepers.get(id)?.(found);
    return ids.map((id) => read.get(id) ?? null);
  }

  private async read(ids: string[]): Promise<Map<string, KnownClient | Error>> {
    const clients = await this.reads.findAll(ids);
    const rows = await this.reads.secretsOf(ids);
    const secretsOf = (clientId: string): ExpiringSecret[] =>
      rows
        .filter((row) => row.clientId === clientId)
        .map(({ sealed, expiresAt }) => ({ secret: this.box.open(sealed, signingSecretOf(clientId)), expiresAt }));
    const known = (client: Client): KnownClient | Error => {
      try {
        return { client, secrets: secretsOf(client.id) };
      } catch (error) {
        return error as Error;
      }
    };
    return new Map(clients.map((client) => [client.id, known(client)]));
  }

  private valid(expiresAt: Date | null): boolean {
    return expiresAt === null || expiresAt > this.clock.now();
  }

  private async key(keyDigest: Buffer, suspect: boolean): Promise<KeyRow | null> {
    const name = keyDigest.toString('hex');
    const kept = fresh(this.keys.get(name));
    if (kept) return kept;
    const keep = this.keeper(this.keys, name);
    const row = await this.lookUps.byDigest(keyDigest, suspect);
    if (this.keys.size >= MAX_KEYS) this.keys.clear();
    return row && keep(row);
  }

  /** Taken before a value is read: it is as old as that. */
  private keeper<T>(into: Map<string, Kept<T>>, name: string): (value: T) => T {
    const age = { readAt: performance.now(), isOld: deadlineIn(MAX_AGE_MS) };
    const changesBefore = this.changesHeard;
    return (value) => {
      if (this.changesHeard === changesBefore) into.set(name, { value, ...age });
      return value;
    };
  }

  /** An empty id means that signals may have been missed. */
  private forget(clientId: string): void {
    this.changesHeard += 1;
    if (!clientId) {
      this.clients.clear();
      this.keys.clear();
      return;
    }
    this.clients.delete(clientId);
    for (const [name, { value }] of this.keys) if (value.clientId === clientId) this.keys.delete(name);
  }
}

function opened(found: Found): KnownClient | null {
  if (found instanceof Error) throw found;
  return found;
}

function fresh<T>(kept: Kept<T> | undefined): T | null {
  return kept && !kept.isOld() ? kept.value : null;
}

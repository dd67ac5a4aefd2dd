/**
 * What all simulated providers have in common: a door, books on disk, notices, faults, and time that does its work though nobody
 * asks. What a provider is, those who extend it say.
 */
import { type DiskBooks, diskBooks } from './disk-books';
import type { Faults } from './faults';
import { type Notice, NoticeSender } from './notice-sender';
import { type SandboxAnswer, type SandboxRequest, SandboxServer } from './sandbox-server';
import type { SimulatedProvider } from './simulated-provider';

/** The options for starting any of them. */
export interface ServingOptions {
  /** Where its notices go; nowhere if nothing is said. */
  noticesUrl?: string | null;
  /** Where the books are kept; in memory if nothing is said. */
  file?: string | null;
  /** Sees each call that was worked on, with its answer. */
  watch?(request: SandboxRequest, answer: SandboxAnswer): void;
}

interface Parts<State> extends ServingOptions {
  /** The books before anything happened. */
  empty: State;
  /** The same notice with a signature that is not the provider's. */
  forge(notice: Notice): Notice;
}

/** Time does its work even if nobody asks. */
const LOOKS_EVERY_MS = 250;

export abstract class ServedProvider<State extends { noticesUrl: string | null }> implements SimulatedProvider {
  readonly faults: Faults;
  abstract readonly deeds: SimulatedProvider['deeds'];
  protected url = '';
  private readonly disk: DiskBooks<State>;
  private readonly server: SandboxServer;
  private readonly notices: NoticeSender;
  private readonly misbooked = new Map<string, number>();
  private looking?: NodeJS.Timeout;

  protected constructor({ empty, forge, file = null, watch }: Parts<State>) {
    this.disk = diskBooks(empty, file);
    this.server = new SandboxServer({ answer: (request) => this.met(request), watch });
    this.faults = this.server.faults;
    this.notices = new NoticeSender(this.faults, forge);
  }

  abstract settings(): Record<string, string>;
  abstract shown(): unknown;

  async start(port?: number): Promise<string> {
    this.url = await this.server.start(port);
    this.looking = setInterval(() => this.catchUp(), LOOKS_EVERY_MS).unref();
    return this.url;
  }

  async stop(): Promise<void> {
    clearInterval(this.looking);
    await this.server.stop();
    await this.notices.stop();
  }

  /** As it stands now. */
  get state(): State {
    this.catchUp();
    return this.disk.state;
  }

  /** Books so much more, or less, than it is asked to under this word. */
  misbooks(word: string, units: number): void {
    this.misbooked.set(word, units);
  }

  tellsAt(url: string | null): void {
    this.kept.noticesUrl = url;
    this.save();
  }

  /** The work of one call, page or deed of a person. */
  protected abstract answer(request: SandboxRequest): SandboxAnswer;
  protected abstract catchUp(): void;

  /** The books as they were left; what time did since is not in there. */
  protected get kept(): State {
    return this.disk.state;
  }

  protected save(): void {
    this.disk.save();
  }

  protected misbookedBy(word: string): number {
    return this.misbooked.get(word) ?? 0;
  }

  /** The books are kept before anybody is told of what is in there. */
  protected send(notice: Notice): void {
    this.save();
    this.notices.tell(this.kept.noticesUrl, notice);
  }

  private met(request: SandboxRequest): SandboxAnswer {
    this.catchUp();
    const answer = this.answer(request);
    this.catchUp();
    if (request.method !== 'GET' || answer.html !== undefined) this.save();
    return answer;
  }
}

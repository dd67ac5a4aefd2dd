/** The provider of the scripted rails: each payee has a story, which says what a call does, what it is told, and who dies at it. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** The program whose rails call it. */
export const WITH_SCRIPTED_RAILS = 'dist/apps/gateway/testing/main-with-scripted-rails.js';

export type CallName = 'submit' | 'lookup' | 'advance' | 'account';

export interface Call {
  name: CallName;
  /** The code of the payout; '' if it is about an account. */
  railKey: string;
  amountCents: number;
  /** Which further call of the payout it is. */
  leg?: { name: string; key: string };
}

export interface Fact {
  kind: string;
  [more: string]: unknown;
}

/** What became of a payee's calls until now. */
export interface Page {
  /** Movements of money, by the code they were asked for under. */
  moved: string[];
  /** How often each fact was given. */
  told: Record<string, number>;
  /** How often each call was heard, this one too. */
  asked: Record<CallName, number>;
}

export interface Story {
  /** The payee's externalId, and their account if they have one. */
  id: string;
  /** Money moves if the fact says so: `moves` is taken off it. */
  play: (call: Call, page: Page) => Fact & { moves?: true };
  /** At which of its calls the caller dies: before the provider does anything, or after it, before it says so. */
  dies: { call: number; stage: 'before' | 'after' } | null;
}

interface Asked {
  railKey?: string;
  accountId?: string;
  amountCents?: number;
  currency?: string;
  payee?: { externalId: string };
  leg?: Call['leg'];
}

interface Told extends Page {
  story: Story;
  calls: number;
}

export class ScriptedProvider {
  /** Ends the caller, and brings it back. */
  strike: () => Promise<void> = () => Promise.resolve();
  strikes = 0;
  private readonly stories = new Map<string, Told>();
  private readonly server: Server;
  private striking: Promise<void> | null = null;

  private constructor() {
    this.server = createServer((request, response) => {
      this.take(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<ScriptedProvider> {
    const provider = new ScriptedProvider();
    provider.server.listen(0, '127.0.0.1');
    await once(provider.server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  tell(story: Story): void {
    this.stories.set(story.id, {
      ...{ story, calls: 0, moved: [], told: {} },
      asked: { submit: 0, lookup: 0, advance: 0, account: 0 },
    });
  }

  pageOf(id: string): Page & { calls: number } {
    const page = this.stories.get(id);
    if (!page) throw new Error(`${id} has no story.`);
    return page;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = JSON.parse(await text(request)) as Asked;
    const told = this.stories.get(asked.accountId ?? asked.payee?.externalId ?? '');
    // The last words of a process that is being ended.
    if (!told || this.striking) return void response.destroy();
    told.calls += 1;
    const { dies } = told.story;
    const stage = dies?.call === told.calls ? dies.stage : null;
    if (stage === 'before') return this.end(response);
    const fact = done(told, request.url?.split('/').at(-1) as CallName, asked);
    if (stage === 'after') return this.end(response);
    response.end(JSON.stringify(fact));
  }

  private async end(response: ServerResponse): Promise<void> {
    this.strikes += 1;
    this.striking = this.strike();
    await this.striking.finally(() => (this.striking = null));
    response.destroy();
  }
}

/** What the provider does, and what it would say. */
function done(told: Told, name: CallName, { railKey = '', amountCents = 0, currency, leg }: Asked): Fact {
  told.asked[name] += 1;
  const { moves, ...fact } = told.story.play({ name, railKey, amountCents, ...(leg ? { leg } : {}) }, told);
  if (moves) told.moved.push(railKey);
  told.told[fact.kind] = (told.told[fact.kind] ?? 0) + 1;
  return amountCents ? { ...fact, echo: { amountCents, currency } } : fact;
}

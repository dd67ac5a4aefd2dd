/**
 * Admits link holders, so often a minute: everybody pays for what a page costs. Guesses at links count like wrong keys, and keep nobody
 * out who has a link, not even from the same address.
 */
import { Injectable } from '@nestjs/common';
import { type Clock, Refusal } from '#libs/domain';
import { FailedAttempts, MinuteCounts, Pace } from '#libs/auth';
import { SharedReads } from '#libs/batcher';
import { InjectClock } from '#libs/clock';
import { workFor } from '#libs/db';
import { type GatewayRequest, neighbourhoodOf, sayLimit } from '#libs/http-kit';
import type { Payout } from '#libs/payout-rules';
import type { PageLink } from '../page-link';
import type { PortalLink, PortalSession } from '../portal-session';
import { FindPageLink } from '../use-cases/find-page-link';
import { VisitClaim } from '../use-cases/visit-claim';
import { type Visitor, VisitPortal } from '../use-cases/visit-portal';
import { sessionOf } from './portal-cookie';

/** Of one payee, for each way in: over all their links of that kind, or over all browsers in which their wallet is open. */
const MOST_VISITS = 60;
type Way = 'onboarding' | 'mailed link' | 'waiting money' | 'payment' | 'wallet' | 'closed wallet';

interface Whose {
  clientId: string;
  payeeId: string;
}

@Injectable()
export class PageDoor {
  private readonly visits: MinuteCounts;
  private readonly pace = new Pace();
  /** Nobody's work yet: whoever looks without end waits with all their looks for one, and takes turns with other addresses. */
  private readonly reads = new SharedReads();
  /** The payee that a request was let in to: it is one visit, whatever it asks of them. */
  private readonly letIn = new WeakMap<GatewayRequest, string>();

  constructor(
    private readonly links: FindPageLink,
    private readonly claims: VisitClaim,
    private readonly portal: VisitPortal,
    private readonly failures: FailedAttempts,
    @InjectClock() clock: Clock,
  ) {
    this.visits = new MinuteCounts(clock);
  }

  linkOf(request: GatewayRequest, token: string): Promise<PageLink> {
    return this.enter(request, 'onboarding', (suspect) => this.links.onboarding(token, suspect));
  }

  /** null: it is used or over, and its wallet is open in this browser, which comes in by that. */
  portalLinkOf(request: GatewayRequest, token: string): Promise<PortalLink | null> {
    return this.mailed(request, token, async () => null);
  }

  /** `session`: what the form opens. Whoever sends it again a moment later is no guesser, though the link is used. */
  openingOf(request: GatewayRequest, token: string, session: string): Promise<PortalLink | null> {
    return this.mailed(request, token, async (suspect) => {
      const opened = await this.links.session(session, suspect);
      return opened?.isJustOpened ? opened : null;
    });
  }

  walletLinkOf(request: GatewayRequest, token: string): Promise<PortalLink> {
    return this.enter(request, 'waiting money', () =>
      this.read(request, `link ${token}`, () => this.links.wallet(token)),
    );
  }

  /** The payment whose page a token opens. */
  payoutOf(request: GatewayRequest, token: string): Promise<Payout> {
    return this.enter(request, 'payment', () =>
      this.read(request, `payment ${token}`, () => this.claims.payoutOf(token)),
    );
  }

  /**
   * The payee whose wallet is open in this browser: still theirs, because who is somebody else by now needs a link of their own. null if
   * none is: what a browser kept for too long says the same as what it never had.
   */
  async visitor(request: GatewayRequest): Promise<Visitor | null> {
    const session = await this.sessionIfOpen(request);
    const visitor = session && (await this.visitorBy(request, session));
    if (session) await this.admit(request, visitor ? 'wallet' : 'closed wallet', session);
    return visitor;
  }

  private visitorBy(request: GatewayRequest, session: PortalSession): Promise<Visitor | null> {
    return this.read(request, `wallet ${session.id}`, () => this.portal.visitor(session));
  }

  async isOpenFor(request: GatewayRequest, { id }: { id: string }): Promise<boolean> {
    return (await this.visitor(request))?.payee.id === id;
  }

  private async sessionIfOpen(request: GatewayRequest): Promise<PortalSession | null> {
    const token = sessionOf(request);
    if (token === null) return null;
    // Whoever came by a good link guesses at nothing: what their browser kept from before opens nothing, and is no failure.
    if (this.letIn.has(request)) return this.links.session(token, this.failures.tooMany(request));
    try {
      return await this.found(request, (suspect) => this.links.session(token, suspect));
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.code === 'not_found') return null;
      throw thrown;
    }
  }

  private async enter<Entry extends Whose>(
    request: GatewayRequest,
    way: Way,
    find: (suspect: boolean) => Promise<Entry | null>,
  ): Promise<Entry> {
    const entry = await this.found(request, find);
    await this.admit(request, way, entry);
    return entry;
  }

  /** What a browser kept is looked at only if the link opens nothing: who has a good one is let in whatever else they have. */
  private async mailed(
    request: GatewayRequest,
    token: string,
    opened: (suspect: boolean) => Promise<PortalLink | null>,
  ): Promise<PortalLink | null> {
    const [way, entry] = await this.found(request, async (suspect): Promise<[Way, PortalLink] | null> => {
      const link = (await this.links.portal(token, suspect)) ?? (await opened(suspect));
      if (link) return ['mailed link', link];
      const session = await this.openSince(request, token, suspect);
      return session && ['wallet', session];
    });
    await this.admit(request, way, entry);
    return way === 'wallet' ? null : entry;
  }

  /** The wallet in this browser, if it is the one that the link led to. Anybody else learns nothing, not even that it ever was a link. */
  private async openSince(request: GatewayRequest, token: string, suspect: boolean): Promise<PortalSession | null> {
    const kept = sessionOf(request);
    const session = kept === null ? null : await this.links.session(kept, suspect);
    if (!session) return null;
    const isSpent = (): Promise<boolean> => this.links.isSpent(token, session.payeeId);
    if (!(await this.read(request, `${token} of ${session.id}`, isSpent))) return null;
    return (await this.visitorBy(request, session)) && session;
  }

  private read<T>({ ip }: GatewayRequest, name: string, read: () => Promise<T>): Promise<T> {
    return this.reads.of(neighbourhoodOf(ip), name, read);
  }

  private found<Entry>(request: GatewayRequest, find: (suspect: boolean) => Promise<Entry | null>): Promise<Entry> {
    return this.failures.counted(request, async () => {
      const found = await find(this.failures.tooMany(request));
      if (found) return found;
      throw new Refusal('not_found', 'This link opens nothing.');
    });
  }

  /** Whoever else has a link uses up its looks: with their wallet open in this browser payees come in by that. */
  private async admit(request: GatewayRequest, way: Way, { clientId, payeeId }: Whose): Promise<void> {
    workFor(clientId);
    if (this.letIn.get(request) === payeeId) return;
    const name = `${way} of ${payeeId}`;
    const isOften = this.visits.add(name) > MOST_VISITS;
    if (isOften && !(await this.comesByWallet(request, way, payeeId))) {
      await this.pace.wait(name);
      sayLimit(request, { limit: MOST_VISITS, resetSeconds: this.visits.secondsLeft() });
      throw new Refusal('rate_limited', 'The pages of this payee were asked for too many times this minute.');
    }
    this.letIn.set(request, payeeId);
  }

  private async comesByWallet(request: GatewayRequest, way: Way, id: string): Promise<boolean> {
    return way !== 'wallet' && way !== 'closed wallet' && this.isOpenFor(request, { id });
  }
}

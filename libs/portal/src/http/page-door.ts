/**
 * Admits link holders, so often a minute: everybody pays for what a page costs. Guesses at links count like wrong keys, and keep nobody
 * out who has a link, not even from the same address.
 */
import { Injectable } from '@nestjs/common';
import { type Clock, Refusal } from '#libs/domain';
import { FailedAttempts, MinuteCounts, Pace } from '#libs/auth';
import { InjectClock } from '#libs/clock';
import { workFor } from '#libs/db';
import { type GatewayRequest, sayLimit } from '#libs/http-kit';
import type { Payout } from '#libs/payout-rules';
import type { PageLink } from '../page-link';
import type { PortalLink, PortalSession } from '../portal-session';
import { FindPageLink } from '../use-cases/find-page-link';
import { VisitClaim } from '../use-cases/visit-claim';
import { VisitPortal } from '../use-cases/visit-portal';
import { sessionOf } from './portal-cookie';

/** Of one payee, over all their links. */
const MOST_VISITS = 60;

@Injectable()
export class PageDoor {
  private readonly visits: MinuteCounts;
  private readonly pace = new Pace();

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
    return this.enter(request, (suspect) => this.links.onboarding(token, suspect));
  }

  portalLinkOf(request: GatewayRequest, token: string): Promise<PortalLink> {
    return this.enter(request, (suspect) => this.links.portal(token, suspect));
  }

  walletLinkOf(request: GatewayRequest, token: string): Promise<PortalLink> {
    return this.enter(request, () => this.links.wallet(token));
  }

  private portalSessionOf(request: GatewayRequest, token: string): Promise<PortalSession> {
    return this.enter(request, (suspect) => this.links.session(token, suspect));
  }

  /** The payment whose page a token opens. */
  payoutOf(request: GatewayRequest, token: string): Promise<Payout> {
    return this.enter(request, () => this.claims.payoutOf(token));
  }

  /** null if it is over: what a browser kept for too long says the same as what it never had. */
  async sessionIfOpen(request: GatewayRequest, token: string): Promise<PortalSession | null> {
    try {
      return await this.portalSessionOf(request, token);
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.code === 'not_found') return null;
      throw thrown;
    }
  }

  /** This payee's wallet is open in this browser: still theirs, because who is somebody else by now needs a link of their own. */
  async isOpenFor(request: GatewayRequest, { id }: { id: string }): Promise<boolean> {
    const token = sessionOf(request);
    const session = token === null ? null : await this.sessionIfOpen(request, token);
    return session?.payeeId === id && (await this.portal.visitor(session)) !== null;
  }

  private async enter<Entry extends { clientId: string; payeeId: string }>(
    request: GatewayRequest,
    find: (suspect: boolean) => Promise<Entry | null>,
  ): Promise<Entry> {
    const entry = await this.failures.counted(request, async () => {
      const found = await find(this.failures.tooMany(request));
      if (found) return found;
      throw new Refusal('not_found', 'This link opens nothing.');
    });
    workFor(entry.clientId);
    if (this.visits.add(entry.payeeId) <= MOST_VISITS) return entry;
    await this.pace.wait(entry.payeeId);
    sayLimit(request, { limit: MOST_VISITS, resetSeconds: this.visits.secondsLeft() });
    throw new Refusal('rate_limited', 'The pages of this payee were asked for too many times this minute.');
  }
}

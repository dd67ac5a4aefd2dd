/** The access token of this process: in memory alone, and asked for by one call at a time however many wait for it. */
import type { Clock } from '#libs/rail-kit';
import type { Answer, Transport } from '#libs/rail-transport';
import type { ClaimRailSettings } from './claim-rail.settings';
import { isToken, isTokenProblem, type Token } from './paypal.shapes';

export type TokenAnswer = Answer<{ text: string }, { error: string }>;

/** Not in its last minute: a call that leaves with it has to arrive with it. */
const SPARE_MS = 60_000;

export class PaypalToken {
  private held: { text: string; until: number } | null = null;
  private asked: Promise<TokenAnswer> | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly settings: Pick<ClaimRailSettings, 'clientId' | 'clientSecret'>,
    private readonly clock: Clock,
  ) {}

  /** Others may be waiting for the same token, so it is not given up because one of them leaves. */
  get(): Promise<TokenAnswer> {
    if (this.held && this.clock.now().getTime() < this.held.until)
      return Promise.resolve({ kind: 'done', found: { text: this.held.text } });
    this.asked ??= this.ask().finally(() => (this.asked = null));
    return this.asked;
  }

  /** PayPal does not take it any more. One that came since stays. */
  drop(text: string): void {
    if (this.held?.text === text) this.held = null;
  }

  private async ask(): Promise<TokenAnswer> {
    const { clientId, clientSecret } = this.settings;
    const askedAt = this.clock.now().getTime();
    const answer: Answer<Token, { error: string }> = await this.transport.call({
      method: 'POST',
      path: '/v1/oauth2/token',
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: { type: 'application/x-www-form-urlencoded', text: 'grant_type=client_credentials' },
      found: isToken,
      problem: isTokenProblem,
    });
    if (answer.kind !== 'done') return answer;
    const { access_token: text, expires_in: seconds } = answer.found;
    this.held = { text, until: askedAt + seconds * 1000 - SPARE_MS };
    return { kind: 'done', found: { text } };
  }
}

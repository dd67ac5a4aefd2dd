/** Who may call: tokens for the app's id and secret, good for as long as PayPal's. */
import { randomUUID } from 'node:crypto';
import type { SandboxAnswer, SandboxRequest } from '#libs/provider-sandbox';

const LIVES_SECONDS = 32_400;

export class PaypalTokens {
  private readonly until = new Map<string, number>();

  constructor(
    private readonly clientId: string,
    private readonly clientSecret: string,
  ) {}

  grant({ headers, body }: SandboxRequest, now: Date): SandboxAnswer {
    const wanted = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    if (headers.authorization !== `Basic ${wanted}`)
      return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } };
    if (new URLSearchParams(body).get('grant_type') !== 'client_credentials')
      return {
        status: 400,
        body: { error: 'unsupported_grant_type', error_description: 'Grant Type is not supported' },
      };
    const token = randomUUID();
    this.until.set(token, now.getTime() + LIVES_SECONDS * 1000);
    const told = { scope: 'payouts', token_type: 'Bearer', app_id: 'APP-SANDBOX', expires_in: LIVES_SECONDS };
    return { status: 200, body: { access_token: token, ...told } };
  }

  isGood(authorization: string | undefined, now: Date): boolean {
    const [, token = ''] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
    return (this.until.get(token) ?? 0) > now.getTime();
  }

  /** As if PayPal had taken all of them back. */
  revoke(): void {
    this.until.clear();
  }
}

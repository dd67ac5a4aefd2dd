/** A run over one custodial rail: the shipped gateway, the simulated provider, a live client, and people with accounts there. */
import { type Answer, type ApiClient, eventually, type Json, newClient, operator } from './api';
import { query } from './database';
import { brokenInvariants, RAILS_KEPT_HERE } from './invariants';
import { readPayout } from './money';
import { type RailSandbox, type RailService, startRailService, stopRailService } from './rail-sandbox';
import { WebhookCatcher } from './webhook-catcher';

const DAILY_CENTS = 100_000_000;
const PAID = `SELECT coalesce(sum(amount_cents), 0) AS cents FROM payouts WHERE provider = $1 AND status = 'paid'`;

/** Whatever can become of one call. */
export const CALL_EFFECTS = [
  ...(['cut_before', 'cut_after', 'silence_before', 'silence_after', 'too_many'] as const),
  ...(['server_error', 'server_error_after', 'garbage', 'slow'] as const),
];

export class RailRun {
  private constructor(
    readonly rail: string,
    readonly service: RailService,
    private readonly catcher: WebhookCatcher,
    readonly client: ApiClient,
  ) {}

  /** Pays Germany over this rail. */
  static async start(rail: string, env: Record<string, string> = {}): Promise<RailRun> {
    const service = await startRailService(env);
    const catcher = await new WebhookCatcher().start();
    await operator('PUT', '/routes', { routes: { DE: [rail] } });
    const settings = { testMode: false, statusVersion: 2, webhookUrl: catcher.url, caps: { dailyCents: DAILY_CENTS } };
    return new RailRun(rail, service, catcher, await newClient(settings));
  }

  async stop(): Promise<void> {
    await this.catcher.stop();
    await stopRailService(this.service);
  }

  get sandbox(): RailSandbox {
    return this.service.sandbox;
  }

  does(deed: string, asked: Json = {}): Promise<void> {
    return this.sandbox.does(this.rail, deed, asked);
  }

  /** Those that still wait; none is left once all of them struck. */
  async faultsStruck(): Promise<void> {
    await eventually(
      () => this.sandbox.faults(this.rail),
      (left) => left.length === 0,
    );
  }

  adopt(payeeId: string, providerAccountId: string): Promise<Answer> {
    return this.client.post(`/payees/${payeeId}/methods`, { provider: this.rail, providerAccountId });
  }

  /** Somebody with an account there, opened elsewhere. */
  async person(account: string): Promise<Json> {
    const payee = await this.client.payee({ country: 'DE' });
    await this.does('account', { id: account });
    const { body } = await this.adopt(payee.id, account);
    if (body.method?.payable !== true) throw new Error(`Not payable: ${JSON.stringify(body)}`);
    return { ...payee, account };
  }

  async pay({ id }: Json, amountCents: number): Promise<Json> {
    const { status, body } = await this.client.payout(id, { amountCents, currency: 'EUR' });
    if (status !== 201) throw new Error(`Not taken: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  reads(id: string, status: string): Promise<Json> {
    return eventually(
      () => readPayout(this.client, id),
      (payout) => payout.status === status,
    );
  }

  /** And was never called failed on the way. */
  async readsPaid(id: string): Promise<Json> {
    const paid = await this.reads(id, 'paid');
    expect(paid.events.map(({ toStatus }: Json) => toStatus)).not.toContain('failed');
    return paid;
  }

  told(id: string, status: string): Promise<unknown> {
    return this.catcher.waitFor(({ json }) => (json as Json).transactionId === id && (json as Json).status === status);
  }

  /** The process dies in the middle of what it does, and comes back; with other settings if some are given. */
  async dies(env: Record<string, string> = {}): Promise<void> {
    const { gateway } = this.service;
    await gateway.kill('SIGKILL');
    Object.assign(gateway.settings.env ?? {}, env);
    await gateway.restart();
  }

  /** Nobody has to wait here until it is tried again. */
  async laneOpens(payoutId: string): Promise<void> {
    await query(this.service.databaseUrl, 'UPDATE rail_lanes SET opens_at = now()');
    await query(this.service.databaseUrl, 'UPDATE jobs SET run_at = now() WHERE entity_id = $1', [payoutId]);
  }

  /** The same until it is paid: what its rail says at first may be that it is still at it, and the next question patient. */
  async goesOn(payoutId: string): Promise<void> {
    await this.laneOpens(payoutId);
    await eventually(
      async () => {
        await query(this.service.databaseUrl, SOONER, [payoutId]);
        return readPayout(this.client, payoutId);
      },
      ({ status }) => status === 'paid',
    );
  }

  async laneClosed(): Promise<Json> {
    return eventually(
      async () => (await operator('GET', '/rails')).body.data.find(({ name }: Json) => name === this.rail).closed,
      (closed) => closed !== null,
    );
  }

  async paidCents(): Promise<number> {
    const [{ cents }] = (await query<{ cents: string }>(this.service.databaseUrl, PAID, [this.rail])) as [
      { cents: string },
    ];
    return Number(cents);
  }

  brokenRules(more: { pushedCents?: number } = {}): Promise<unknown> {
    const asked = { clientId: this.client.id, dailyCents: DAILY_CENTS, ...more };
    return brokenInvariants({ ...asked, leaveOut: [RAILS_KEPT_HERE] });
  }
}

/** Of what nobody has under way now. */
const SOONER = `UPDATE jobs SET run_at = now() WHERE entity_id = $1 AND lease_token IS NULL AND run_at > now() + interval '1 second'`;

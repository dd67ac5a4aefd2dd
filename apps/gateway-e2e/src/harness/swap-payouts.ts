/** Payouts over swap_rail: made, looked for in Circle's books, and brought to an address of their payee's. */
import { randomBytes, randomUUID } from 'node:crypto';
import { type ApiClient, eventually, type Json } from './api';
import { query } from './database';
import { readPayout } from './money';
import { balanceOf } from './owed';
import type { RailService } from './rail-sandbox';
import { walletOpenedBy, withdrawTo } from './withdrawal';

export const RAIL = 'swap_rail';
export const CENTS = 1_005;
const UNITS = 10_050_000;
const RAIL_KEY = 'SELECT rail_key AS "railKey" FROM payouts WHERE id = $1';

export const newAddress = (): string => `0x${randomBytes(20).toString('hex')}`;

export class SwapPayouts {
  constructor(
    private readonly service: RailService,
    private readonly client: ApiClient,
  ) {}

  person(): Promise<Json> {
    return this.client.payee({ country: 'IT', email: `${randomUUID()}@example.org` });
  }

  /** Answers the payout's id. */
  async pay({ id }: Json): Promise<string> {
    const { status, body } = await this.client.payout(id, { amountCents: CENTS, currency: 'USD' });
    if (status !== 201) throw new Error(`Not taken: ${status} ${JSON.stringify(body)}`);
    return body.id;
  }

  /** So many at once, a few for each person: they share a wallet, and nobody is mailed more than they may be. */
  payMany(times: number, each = 3): Promise<{ payee: Json; ids: string[] }[]> {
    const people = Array.from({ length: Math.ceil(times / each) }, async (_, turn) => {
      const payee = await this.person();
      const length = Math.min(each, times - turn * each);
      return { payee, ids: await Promise.all(Array.from({ length }, () => this.pay(payee))) };
    });
    return Promise.all(people);
  }

  reads(id: string, status: string): Promise<Json> {
    return eventually(
      () => readPayout(this.client, id),
      (payout) => payout.status === status,
    );
  }

  async railKeyOf(id: string): Promise<string> {
    const [row] = await query<{ railKey: string }>(this.service.databaseUrl, RAIL_KEY, [id]);
    return row?.railKey ?? '';
  }

  /** What Circle has of it, by what its references begin with. */
  async books(id: string): Promise<{ legs: Json[]; drains: Json[] }> {
    const railKey = await this.railKeyOf(id);
    const { transactions } = await this.service.sandbox.books(RAIL);
    const of = (kind: string): Json[] =>
      transactions.filter(({ refId }: Json) => refId?.startsWith(`${kind}/${railKey}/`));
    return { legs: of('pay'), drains: of('drain') };
  }

  shows(id: string, what: 'legs' | 'drains', state: string): Promise<unknown> {
    return eventually(
      () => this.books(id),
      (books) => books[what].some((each) => each.state === state),
    );
  }

  /** It reads as waiting from the start: the money may not have arrived there. */
  arrives(id: string): Promise<unknown> {
    return this.shows(id, 'legs', 'COMPLETE');
  }

  /** One payout is for its payee to send on. */
  waitsFor({ id }: Json): Promise<unknown> {
    return eventually(
      () => balanceOf(this.client, id),
      ({ actionNeededCents }) => actionNeededCents === CENTS,
    );
  }

  /** All that was to go wrong did. */
  allStruck(): Promise<unknown> {
    return eventually(
      () => this.service.sandbox.faults(RAIL),
      (left) => left.length === 0,
    );
  }

  async expectPaidOnce(id: string, address: string): Promise<Json> {
    const paid = await this.reads(id, 'paid');
    expect((paid.events as Json[]).map(({ toStatus }) => toStatus)).not.toContain('failed');
    const { legs, drains } = await this.books(id);
    expect(legs).toMatchObject([{ units: UNITS, state: 'COMPLETE' }]);
    expect(drains).toMatchObject([{ units: UNITS, state: 'COMPLETE', to: address }]);
    return paid;
  }

  /** How often the money left, be it the treasury or the wallet. */
  async came(payout: Json): Promise<{ payout: Json; movements: number }> {
    const { legs, drains } = await this.books(payout.id);
    const left = [legs, drains].map((all) => all.filter(({ state }) => state === 'COMPLETE').length);
    return { payout, movements: Math.max(...left) };
  }

  /** Each to an address of its own. */
  async paysAll(ids: string[], payee: Json): Promise<Json[]> {
    const browser = await walletOpenedBy(this.client, payee);
    const addresses = ids.map(newAddress);
    await Promise.all(ids.map((id, index) => withdrawTo(browser, id, addresses[index] as string)));
    return Promise.all(ids.map((id, index) => this.expectPaidOnce(id, addresses[index] as string)));
  }
}

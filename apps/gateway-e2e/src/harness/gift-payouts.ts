/** Payouts over gift_rail: looked for in Tremendous's books, and taken by their payee, from the wallet to the page of the reward. */
import { randomUUID } from 'node:crypto';
import { eventually, type Json } from './api';
import type { Page } from './browse';
import { query } from './database';
import type { RailRun } from './rail-run';
import type { Browser } from './wallet';
import { walletOpenedBy } from './withdrawal';

export const RAIL = 'gift_rail';
export const CENTS = 1_005;
const RAIL_KEY = 'SELECT rail_key AS "railKey" FROM payouts WHERE id = $1';

export class GiftPayouts {
  constructor(private readonly run: RailRun) {}

  person(): Promise<Json> {
    return this.run.client.payee({ country: 'DE', email: `${randomUUID()}@example.org` });
  }

  async ordersOf(payoutId: string): Promise<Json[]> {
    const [row] = await query<{ railKey: string }>(this.run.service.databaseUrl, RAIL_KEY, [payoutId]);
    const { orders } = await this.run.sandbox.books(RAIL);
    return (orders as Json[]).filter(({ externalId }) => externalId.replace(/:[0-9]+$/, '') === row?.railKey);
  }

  /** What is on its way reads as waiting already: it may not have arrived there. */
  async arrives(payoutId: string): Promise<Json> {
    const orders = await eventually(
      () => this.ordersOf(payoutId),
      (found) => found.some(({ status }) => status === 'EXECUTED'),
    );
    return orders.find(({ status }) => status === 'EXECUTED') as Json;
  }

  wallet(payee: Json): Promise<Browser> {
    return walletOpenedBy(this.run.client, payee);
  }

  /** As soon as the wallet lets them. */
  page(browser: Browser, payoutId: string): Promise<Page> {
    return eventually(
      () => browser.get(pageOf(payoutId)),
      ({ status, text }) => status === 200 && text.includes('/take?'),
    );
  }

  press(browser: Browser, page: Page, payoutId: string): Promise<Page> {
    return browser.press(page, `${pageOf(payoutId)}/take`);
  }

  /** All the way, pressed again if their rail cannot be asked. Answers what the provider's page says in the end. */
  async take(payee: Json, payoutId: string): Promise<string> {
    const browser = await this.wallet(payee);
    const page = await this.page(browser, payoutId);
    const led = await eventually(
      () => this.press(browser, page, payoutId),
      ({ status }) => status === 303,
    );
    const body = new URLSearchParams({ product: 'Gift card' });
    return (await fetch(led.headers.get('location') ?? '', { method: 'POST', body })).text();
  }

  /** Paid, one order, and taken by its payee. */
  async expectTakenOnce(payee: Json, payoutId: string): Promise<Json> {
    await this.arrives(payoutId);
    expect(await this.take(payee, payoutId)).toContain('Redeemed as Gift card');
    const paid = await this.run.readsPaid(payoutId);
    const orders = await this.ordersOf(payoutId);
    expect(orders).toMatchObject([{ status: 'EXECUTED', reward: { hundredths: CENTS, currency: 'EUR' } }]);
    expect(orders[0]?.reward.redeemed).toMatchObject({ as: 'Gift card' });
    return paid;
  }
}

const pageOf = (payoutId: string): string => `/portal/payments/${payoutId}`;

/** A payee is verified on the pages of their rail, in a browser: rejected first with a reason, mended, and then paid once. */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { eventually, type Json, newClient, operator } from '../harness/api';
import { contextOf, here, PEOPLE, type Person, startChromium } from '../harness/chromium';
import { owe, standing } from '../harness/owed';
import { type RailService, startRailService, stopRailService } from '../harness/rail-sandbox';
import { WebhookCatcher } from '../harness/webhook-catcher';

const BLURRED = 'The photograph is blurred.';
const READY = 'You are ready to be paid';
/** What the provider moved to whoever's account it is. */
const MOVED: Record<string, (books: Json) => unknown> = {
  custodial_a: ({ payouts }) => payouts.map(({ units, status }: Json) => [units, status]),
  custodial_b: ({ transfers }) =>
    transfers.filter(({ category }: Json) => category === 'bank').map(({ units, status }: Json) => [units, status]),
};

describe('onboarding on the pages of a rail', () => {
  let browser: Browser;
  let catcher: WebhookCatcher;
  let service: RailService;
  beforeAll(async () => {
    browser = await startChromium();
    catcher = await new WebhookCatcher().start();
    service = await startRailService();
    await operator('PUT', '/routes', { routes: { DE: ['custodial_a'], AT: ['custodial_b'] } });
  });
  afterAll(async () => {
    await Promise.all([browser.close(), stopRailService(service)]);
    await catcher.stop();
  });

  /** On the provider's page; it leads back to ours. */
  const submits = async (page: Page, outcome: 'Approve' | 'Reject', reason = ''): Promise<void> => {
    await page.getByRole('radio', { name: outcome }).check();
    await page.getByLabel('Why it is rejected').fill(reason);
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(/\/onboarding\/[\w-]{43}$/);
  };

  test.each([
    ['custodial_a', 'DE'],
    ['custodial_b', 'AT'],
  ])('%s', async (rail, country) => {
    const client = await newClient({ testMode: false, name: 'Brass & Sons', webhookUrl: catcher.url });
    const ada = await client.payee({ country, email: `${randomUUID()}@example.org` });
    const rows = await owe(client, ada.id, [2_500], { currency: 'EUR' });
    const { body } = await client.post(`/payees/${ada.id}/onboarding-link`, {
      returnUrl: new URL('/done', catcher.url).href,
    });
    expect(body).toMatchObject({ provider: rail });

    const page = await (await contextOf(browser, PEOPLE[0] as Person)).newPage();
    await page.goto(here(body.url));
    await page.getByRole('button', { name: 'Continue' }).click();
    await submits(page, 'Reject', BLURRED);
    await eventually(
      async () => (await page.reload(), page.textContent('main')),
      (text) => text?.includes(BLURRED) === true,
    );
    await page.getByRole('button', { name: 'Correct my details' }).click();
    await submits(page, 'Approve');
    await eventually(
      async () => (await operator('POST', '/jobs/payability/run'), await page.reload(), page.textContent('h1')),
      (heading) => heading === READY,
    );

    const updated = ({ json }: { json: unknown }): boolean => {
      const { type, payeeId, payable } = json as Json;
      return type === 'payee.updated' && payeeId === ada.id && payable === true;
    };
    await catcher.waitFor(updated);
    await eventually(
      () => standing(client, rows),
      (all) => all.every((status) => status === 'paid'),
    );
    expect(MOVED[rail]?.(await service.sandbox.books(rail))).toEqual([[2_500, expect.any(String)]]);
  });
});

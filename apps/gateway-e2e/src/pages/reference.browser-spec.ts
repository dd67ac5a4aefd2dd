/** The reference in a browser: callers and operators apart, nothing that leaves this machine, and requests that are signed. */
import type { Browser, Page } from 'playwright-core';
import { newClient } from '../harness/api';
import { contextOf, here, keepPicture, overflowOf, PEOPLE, type Person, startChromium } from '../harness/chromium';

describe('the reference', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  async function opened(path: string, person = PEOPLE[0] as Person): Promise<{ page: Page; told: string[] }> {
    const page = await (await contextOf(browser, person)).newPage();
    const told: string[] = [];
    page.on('console', (message) => told.push(message.text()));
    page.on('pageerror', ({ message }) => told.push(message));
    page.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol !== 'data:' && hostname !== 'localhost') told.push(request.url());
    });
    await page.goto(here(path));
    await page.getByText('Payout Gateway').first().waitFor();
    return { page, told };
  }

  test.each(PEOPLE.slice(0, 3).map((person) => [person.isPhone ? 'a phone' : 'a desk', person] as const))(
    'is readable on %s, and complains of nothing',
    async (_, person) => {
      const { page, told } = await opened('/docs', person);
      expect([told, await overflowOf(page)]).toEqual([[], 0]);
      await keepPicture(page, `reference-${person.isPhone ? 'phone' : 'desk'}-${person.language}`);
    },
  );

  test('has the routes of callers on one page and those of operators on another', async () => {
    const desk = PEOPLE[2] as Person;
    const callers = await opened('/docs', desk);
    await callers.page.getByText('Disbursements', { exact: true }).first().waitFor();
    expect(await callers.page.getByText(/^Operator: /).count()).toBe(0);
    await callers.page.getByRole('link', { name: 'API reference for operators' }).click();
    await callers.page.getByText('Operator: payouts', { exact: true }).first().waitFor();
    expect(callers.told).toEqual([]);
  });

  test('signs what is sent from it with version 2, by a secret that it asks for once', async () => {
    const client = await newClient({ requireSignatureV2: true });
    const { page } = await opened('/docs');
    let asked = 0;
    page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.accept(client.secret);
    });
    const sent = (path: string, body?: object): Promise<number> =>
      page.evaluate(
        async ([url, key, text]) => {
          const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
          const init = text === null ? { headers } : { method: 'POST', headers, body: text };
          return (await fetch(url as string, init as object)).status;
        },
        [path, client.key, body ? JSON.stringify(body) : null],
      );
    expect(await sent('/api/v1/payees?limit=5')).toBe(200);
    expect(await sent('/api/v1/payees', { externalId: 'é-1' })).toBe(200);
    expect(asked).toBe(1);
  });
});

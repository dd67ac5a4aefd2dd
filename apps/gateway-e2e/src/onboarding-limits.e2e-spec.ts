/** The pages of payees, asked for by somebody who means harm: whoever has a link, had one, or has none. */
import { newToken } from '#libs/domain';
import { type ApiClient, type Json, newClient, operator } from './harness/api';
import { browse, type Page } from './harness/browse';

const WEBHOOK = 'https://app.example/hooks/payouts';
const RETURN = 'https://app.example/payouts';
const A_DAY = 24 * 60 * 60;

const times = <T>(number: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: number }, work));
const counted = (pages: Page[], wanted: number): number => pages.filter(({ status }) => status === wanted).length;
const locationOf = ({ headers }: Page): string => headers.get('location') ?? '';
/** Where the rail, which in test mode is a page of ours, sends a payee back to. */
const wayBack = (page: Page): string => locationOf(page).replace(/\/test$/, '');

describe('who has a link', () => {
  let client: ApiClient;
  const linkTo = async (of: ApiClient = client): Promise<string> => {
    const payee = await of.payee();
    return ((await of.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: RETURN })).body as Json).url;
  };
  beforeAll(async () => {
    client = await newClient({ webhookUrl: WEBHOOK });
  });

  test('asks the provider ten times in ten minutes, also if all the clicks come at once', async () => {
    const url = await linkTo();
    const clicks = await times(30, () => browse(url, 'POST'));
    expect([counted(clicks, 303), counted(clicks, 429)]).toEqual([10, 20]);
    for (const { headers } of clicks.filter(({ status }) => status === 429)) {
      expect([headers.get('ratelimit-limit'), headers.get('retry-after')]).toEqual(['10', null]);
      expect(Number(headers.get('ratelimit-reset'))).toBeGreaterThan(0);
    }
  });

  test('has it for a day at most: the way back leads on, and to no further day', async () => {
    const back = wayBack(await browse(await linkTo(), 'POST'));
    await client.post('/test/clock', { advanceSeconds: A_DAY - 3600 });
    const again = wayBack(await browse(back, 'POST'));
    expect((await browse(again)).status).toBe(200);
    await client.post('/test/clock', { advanceSeconds: 2 * 3600 });
    for (const url of [back, again]) expect((await browse(url)).status).toBe(404);
  });

  test('goes nowhere with it while the client is suspended, and on afterwards', async () => {
    const other = await newClient({ webhookUrl: WEBHOOK });
    const url = await linkTo(other);
    await operator('PATCH', `/clients/${other.id}`, { status: 'suspended' });
    const page = await browse(url, 'POST');
    expect([page.status, locationOf(page)]).toEqual([200, '']);
    expect(page.text).toContain('Payments to you are on hold');
    for (const method of ['GET', 'POST'])
      expect((await browse(`${url}/test${method === 'GET' ? '' : '/verified'}`, method)).status).toBe(404);
    await operator('PATCH', `/clients/${other.id}`, { status: 'active' });
    expect((await browse(url, 'POST')).status).toBe(303);
  });

  test('asks no provider more often than the client that made it may ask', async () => {
    const few = await newClient({ webhookUrl: WEBHOOK, rateLimitPerMinute: 8 });
    const urls = [await linkTo(few), await linkTo(few), await linkTo(few)];
    const clicks = await Promise.all(urls.flatMap((url) => Array.from({ length: 10 }, () => browse(url, 'POST'))));
    expect(counted(clicks, 303)).toBeGreaterThan(0);
    expect(counted(clicks, 503)).toBeGreaterThan(0);
    expect(counted(clicks, 303)).toBeLessThanOrEqual(16); // the minute may turn
  });

  test('looks at it so often in a minute, and makes no more events by it', async () => {
    const url = await linkTo();
    const provider = locationOf(await browse(url, 'POST'));
    const ends = [`${provider}/verified`, `${provider}/rejected`];
    let turn = 0;
    const pages = await times(150, () => browse(ends[(turn += 1) % 2] as string, 'POST'));
    expect(counted(pages, 429)).toBeGreaterThan(0);
    expect(counted(pages, 303) + counted(pages, 429)).toBe(150);
    const often = pages.find(({ status }) => status === 429) as Page;
    expect(often.text).toContain('Too many attempts');
    expect(Number(often.headers.get('ratelimit-limit'))).toBeGreaterThan(0);
    expect((await browse(await linkTo())).status).toBe(200);
  });
});

test('languages are taken from the beginning of what a browser wants, however much that is', async () => {
  const page = await browse(`/onboarding/${newToken('gw_op').slice(-43)}`, 'GET', `${'xx,'.repeat(3_000)}de`);
  expect([page.status, page.headers.get('content-language')]).toEqual([404, 'en']);
});

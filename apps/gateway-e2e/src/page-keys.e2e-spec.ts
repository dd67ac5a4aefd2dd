/** What opens one page opens no other one: nor once it is changed or over, nor for another payee, another client or the other mode. */
import { type ApiClient, newClient, operator } from './harness/api';
import { browse, type Page } from './harness/browse';
import { Browser } from './harness/wallet';
import { type HeldByPayee, heldBy, PAGE_KEYS, type PageKey } from './harness/page-keys';

const HOOKED = { name: 'Brass & Sons', webhookUrl: 'https://app.example/hooks' };
const MINUTE = 60;
const HOUR = 60 * MINUTE;

type Try = (key: string) => Promise<Page>;
const get =
  (path: (key: string) => string): Try =>
  (key) =>
    browse(path(key));
const post =
  (path: (key: string) => string): Try =>
  (key) =>
    browse(path(key), 'POST');
const asSession =
  (path: string): Try =>
  (key) =>
    browse(path, 'GET', 'en', { cookie: `__Host-wallet=${key}` });

/** By what opens them. */
const DOORS: Record<'onboarding' | 'portal' | 'claim' | 'waiting' | 'session', Record<string, Try>> = {
  onboarding: {
    look: get((key) => `/onboarding/${key}`),
    go: post((key) => `/onboarding/${key}`),
    test: get((key) => `/onboarding/${key}/test`),
    choose: post((key) => `/onboarding/${key}/test/rejected`),
  },
  portal: { look: get((key) => `/portal/open/${key}`), open: post((key) => `/portal/open/${key}`) },
  claim: {
    look: get((key) => `/claim/${key}`),
    link: post((key) => `/claim/${key}/link`),
    test: post((key) => `/claim/${key}/test`),
  },
  waiting: { look: get((key) => `/wallet/${key}`), link: post((key) => `/wallet/${key}`) },
  session: { wallet: asSession('/portal'), withdraw: asSession('/portal/withdraw') },
};
const OWN: Record<PageKey, keyof typeof DOORS> = {
  ...{ onboarding: 'onboarding', back: 'onboarding', account: 'onboarding' },
  ...{ portal: 'portal', claim: 'claim', waiting: 'waiting', session: 'session' },
};
const CLOSED = { onboarding: 404, portal: 404, claim: 404, waiting: 404, session: 401 };

describe('what opens a page', () => {
  let client: ApiClient;
  let held: HeldByPayee;
  beforeAll(async () => {
    client = await newClient(HOOKED);
    held = await heldBy(client);
  });
  const looksAt = (kind: PageKey, key = held.keys[kind]): Promise<Page> =>
    (Object.values(DOORS[OWN[kind]])[0] as Try)(key);

  test.each(PAGE_KEYS)('opens its own: %s', async (kind) => expect((await looksAt(kind)).status).toBe(200));

  test.each(PAGE_KEYS)('opens no page of another kind: %s', async (kind) => {
    for (const [door, tries] of Object.entries(DOORS))
      if (door !== OWN[kind])
        for (const [name, enter] of Object.entries(tries)) {
          const { status, headers } = await enter(held.keys[kind]);
          const told = [door, name, status, headers.get('set-cookie')];
          expect(told).toEqual([door, name, CLOSED[door as keyof typeof DOORS], null]);
        }
    expect((await looksAt(kind)).status).toBe(200);
  });

  test.each(PAGE_KEYS)('opens nothing once it is changed: %s', async (kind) => {
    const key = held.keys[kind];
    const flipped = [0, 20, key.length - 1].map(
      (place) => `${key.slice(0, place)}${key[place] === 'A' ? 'B' : 'A'}${key.slice(place + 1)}`,
    );
    const others = [...flipped, key.slice(1), key.slice(0, -1), `${key}A`, `${key}=`, key.toLowerCase()];
    const pages = await Promise.all(others.map((other) => looksAt(kind, other)));
    expect(pages.map(({ status }) => status)).toEqual(others.map(() => CLOSED[OWN[kind]]));
    const texts = new Set(pages.map(({ text }) => text.replaceAll(/nonce="[^"]+"/g, '')));
    // Nobody learns how near they were.
    expect(texts.size).toBe(1);
  });

  test('opens no payment of another payee, be it of the same client or of another', async () => {
    const [neighbour, stranger] = [await heldBy(client), await heldBy(await newClient(HOOKED))];
    for (const { payout } of [neighbour, stranger]) {
      const place = `/portal/payments/${payout.id}`;
      const tries = [
        await held.browser.get(place),
        await held.browser.get(`${place}/check?to=mock_eve`),
        await held.browser.get(`${place}/identity/test`),
        await held.browser.post(`${place}/send?to=mock_eve&form=${held.form}`),
        await held.browser.post(`${place}/identity?form=${held.form}`),
        await held.browser.post(`${place}/identity/test/verified?form=${held.form}`),
      ];
      expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 404));
    }
    // And their forms are not of this browser.
    for (const { form } of [neighbour, stranger])
      expect((await held.browser.post(`/portal/leave?form=${form}`)).status).toBe(403);
    expect((await held.browser.get('/portal')).status).toBe(200);
  });

  test('of a live client shows no page that is for tests', async () => {
    const live = await newClient({ ...HOOKED, testMode: false });
    const payee = await live.payee();
    const { body } = await live.post(`/payees/${payee.id}/onboarding-link`, { returnUrl: 'https://app.example/' });
    const key = body.url.split('/').at(-1);
    expect((await DOORS.onboarding.look?.(key))?.status).toBe(200);
    for (const name of ['test', 'choose']) expect((await DOORS.onboarding[name]?.(key))?.status).toBe(404);
  });

  test('is over when it should be, and not before', async () => {
    const { keys } = await heldBy(client);
    const stands = async (kinds: PageKey[], passing = 0): Promise<number[]> => {
      if (passing > 0) await client.post('/test/clock', { advanceSeconds: passing });
      return (await Promise.all(kinds.map((kind) => looksAt(kind, keys[kind])))).map(({ status }) => status);
    };
    const short: PageKey[] = ['onboarding', 'account', 'portal'];
    expect(await stands(short, 15 * MINUTE - 30)).toEqual([200, 200, 200]);
    expect(await stands(short, 31)).toEqual([404, 404, 404]);
    expect(await stands(['session'], 12 * HOUR - 15 * MINUTE - 30)).toEqual([200]);
    expect(await stands(['session', 'back'], 60)).toEqual([401, 200]);
    expect(await stands(['back', 'waiting'], 12 * HOUR)).toEqual([404, 200]);
    expect(await stands(['waiting', 'claim'], 29 * 24 * HOUR + 60)).toEqual([404, 200]);
  });

  test('is closed with its client, all of it', async () => {
    const closing = await newClient(HOOKED);
    const { keys } = await heldBy(closing);
    await operator('PATCH', `/clients/${closing.id}`, { status: 'closed' });
    const pages = await Promise.all(PAGE_KEYS.map((kind) => looksAt(kind, keys[kind])));
    expect(pages.map(({ status }) => status)).toEqual(PAGE_KEYS.map((kind) => CLOSED[OWN[kind]]));
    expect((await new Browser().open(`/portal/open/${keys.portal}`)).status).toBe(404);
  });
});

// A payee's wallet in the demo, as a browser would have it open.
import { until } from '../steps.mjs';

/** By the link that was mailed to the payee, with the cookie that a browser would keep. */
export async function openedWallet({ gateway, url, payee, email }) {
  await gateway.request('POST', `/payees/${payee.id}/portal-link`, {});
  const link = await until('the mail with the link into the wallet', async () => {
    const answer = await fetch(`${url}/dev/mailbox`, { headers: { accept: 'application/json' } });
    const mails = (await answer.json()).data.filter(({ to }) => to === email);
    return mails.map(({ text }) => /\/portal\/open\/[\w-]+/.exec(text)?.[0]).find(Boolean);
  });
  const opened = await fetch(url + link, { method: 'POST', redirect: 'manual' });
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');
  const ask = async (path, method = 'GET') => {
    const answer = await fetch(url + path, { method, headers: { cookie, accept: 'text/html' }, redirect: 'manual' });
    return { ok: answer.ok, text: await answer.text(), location: answer.headers.get('location') };
  };
  return { get: ask, press: (text, path) => ask(formOf(text, path), 'POST') };
}

function formOf(text, path) {
  const actions = [...text.matchAll(/action="([^"]+)"/g)].map(([, to]) => to.replaceAll('&amp;', '&'));
  const action = actions.find((to) => to.startsWith(path));
  if (!action) throw new Error(`The page has no form to ${path}.`);
  return action;
}

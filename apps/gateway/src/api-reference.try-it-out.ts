/**
 * Signs what is sent from the page at /docs, with version 2. The page has the text of this function in a script of its own, so it may
 * use nothing from outside; the secret stays in the page's memory until it is left.
 */
interface PageRequest {
  url: string;
  method: string;
  body: string;
  headers: Record<string, string>;
}

interface Page {
  prompt(question: string): string | null;
  signingSecret?: string;
}

export async function signBeforeSending(request: PageRequest): Promise<PageRequest> {
  const { pathname, search } = new URL(request.url);
  if (!pathname.startsWith('/api/v1/') || request.headers['x-gw-signature-v2']) return request;
  const page = globalThis as unknown as Page;
  page.signingSecret ??= page.prompt('The signing secret of this client. It stays in this page.') ?? '';
  const bytes = (text: string) => new TextEncoder().encode(text);
  const hex = (buffer: ArrayBuffer) =>
    [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const timestamp = String(Math.floor((performance.timeOrigin + performance.now()) / 1000));
  const nonce = hex(crypto.getRandomValues(new Uint8Array(16)).buffer);
  const digest = hex(await crypto.subtle.digest('SHA-256', bytes(request.body)));
  const text = [timestamp, nonce, request.method, pathname + search, digest].join('\n');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(page.signingSecret), algorithm, false, ['sign']);
  const signature = hex(await crypto.subtle.sign('HMAC', key, bytes(text)));
  const signed = { 'x-gw-timestamp': timestamp, 'x-gw-nonce': nonce, 'x-gw-signature-v2': signature };
  return { ...request, headers: { ...request.headers, ...signed } };
}

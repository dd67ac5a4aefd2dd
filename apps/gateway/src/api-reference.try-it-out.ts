/**
 * Signs what is sent from the page at /docs. Swagger UI puts the text of this function into a script of its own, so it may
 * use nothing from outside; the secret stays in the page's memory until it is left.
 */
interface PageRequest {
  url: string;
  method?: string;
  body?: string;
  headers: Record<string, string>;
}

interface Page {
  prompt(question: string): string | null;
  signingSecret?: string;
}

export async function signBeforeSending(request: PageRequest): Promise<PageRequest> {
  if (!new URL(request.url).pathname.startsWith('/api/v1/') || request.headers['x-gw-signature']) return request;
  const page = globalThis as unknown as Page;
  page.signingSecret ??= page.prompt('The signing secret of this client. It stays in this page.') ?? '';
  const bytes = (text: string) => new TextEncoder().encode(text);
  const timestamp = String(Math.floor((performance.timeOrigin + performance.now()) / 1000));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(page.signingSecret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, bytes(`${timestamp}.${request.body ?? ''}`));
  request.headers['x-gw-timestamp'] = timestamp;
  request.headers['x-gw-signature'] = [...new Uint8Array(signature)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return request;
}

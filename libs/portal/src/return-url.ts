/**
 * Where a payee may be sent back to: the host of the client's webhook URL, or the service itself. Anywhere else, a page of
 * ours would send people on to whoever made the link.
 */
export interface ReturnRules {
  publicUrl: string;
  webhookUrl: string | null;
  production: boolean;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** As a browser reads it; null if nobody may be sent there. */
export function returnUrlOf(given: string, { publicUrl, webhookUrl, production }: ReturnRules): string | null {
  const url = URL.parse(given);
  if (!url || url.username || url.password || given !== given.trim()) return null;
  if (url.origin === new URL(publicUrl).origin) return url.href;
  const isKnown = url.protocol === 'https:' && url.hostname === hostOf(webhookUrl);
  const isHere = !production && url.protocol === 'http:' && LOOPBACK.test(url.hostname);
  return isKnown || isHere ? url.href : null;
}

const hostOf = (webhookUrl: string | null): string | null => (webhookUrl ? new URL(webhookUrl).hostname : null);

/** What a rail needs for its transport, read from the settings of a deployment. */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Credentials go to nobody who listens on the way: plain HTTP is for a provider on this machine alone. */
export function readBaseUrl(env: string, value: string): string {
  if (!URL.canParse(value)) throw new Error(`${env} must be a URL, such as https://api.example.com.`);
  const { protocol, hostname, username, search, hash } = new URL(value);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname)))
    throw new Error(`${env} must begin with https://; http:// is for a provider on this machine.`);
  if (username || search || hash || /\s/.test(value))
    throw new Error(`${env} must be an address alone: no user, no question, no fragment, no blank.`);
  return value.replace(/\/+$/, '');
}

export function readMilliseconds(env: string, value: string): number {
  if (!/^[1-9][0-9]{0,5}$/.test(value)) throw new Error(`${env} must be a whole number of milliseconds, up to 999999.`);
  return Number(value);
}

/** Pages of payees, as a browser asks for them. */
import { underTest } from './api';

export interface Page {
  status: number;
  text: string;
  headers: Headers;
}

/** A redirect is looked at, and not followed. */
export async function browse(
  url: string,
  method = 'GET',
  language = 'en',
  more: Record<string, string> = {},
): Promise<Page> {
  const { pathname, search } = new URL(url, 'http://here');
  const [base] = underTest().urls;
  const headers = { accept: 'text/html', 'accept-language': language, ...more };
  const response = await fetch(`${base}${pathname}${search}`, { method, headers, redirect: 'manual' });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** What a page's policy says of one kind of content. */
export const directive = ({ headers }: Page, name: string): string | undefined =>
  headers
    .get('content-security-policy')
    ?.split('; ')
    .find((part) => part.startsWith(`${name} `))
    ?.slice(name.length + 1);

/** The cookie of an open wallet: for this host only, out of reach of scripts, and sent along only from our own pages or by a link. */
import type { Request, Response } from 'express';
import { SESSION_SECONDS } from '../portal-session';

const NAME = '__Host-wallet';
const VALUE = new RegExp(`(?:^|; ?)${NAME}=([A-Za-z0-9_-]{43})(?:;|$)`);
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

export const sessionOf = (request: Request): string | null => VALUE.exec(request.headers.cookie ?? '')?.[1] ?? null;

export function keepSession(response: Response, token: string): void {
  response.cookie(NAME, token, { ...OPTIONS, maxAge: SESSION_SECONDS * 1000 });
}

export function dropSession(response: Response): void {
  response.clearCookie(NAME, OPTIONS);
}

/** Browsers say where a request comes from; those that do not are held off by what our forms carry. */
export const isFromElsewhere = (request: Request): boolean =>
  !['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site'] as string | undefined);

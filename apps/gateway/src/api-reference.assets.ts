/**
 * What the page of the API reference loads. Each file is read once and sent from memory: strangers may ask for it, a thousand at
 * once, and read nothing of it. Streamed, each of them would keep buffers of its own; so all of them wait for the same bytes.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import { Refusal } from '#libs/domain';
import { EXPLORER, PAGE_SCRIPT, PAGE_STYLE, pageScript, pageStyle } from './api-reference.page';
import type { LargeAnswers } from './large-answers';

const FILES: Record<string, () => Buffer> = {
  [EXPLORER]: () => readFileSync(require.resolve(`openapi-explorer/dist/browser/${EXPLORER}`)),
  [PAGE_SCRIPT]: () => Buffer.from(pageScript),
  [PAGE_STYLE]: () => Buffer.from(pageStyle),
};

interface Asset {
  bytes: Buffer;
  etag: string;
}

export function serveAssets(server: Express, answers: LargeAnswers): void {
  const assets = new Map<string, Asset>();
  const assetOf = (file: string, read: () => Buffer): Asset => {
    const asset = assets.get(file) ?? made(read());
    assets.set(file, asset);
    return asset;
  };
  server.get(/^\/docs\//, (request, response, next) => {
    const file = request.path.slice('/docs/'.length);
    const read = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (!read) return next(new Refusal('not_found', 'There is nothing at this path. See /docs.'));
    const { bytes, etag } = assetOf(file, read);
    response.type(file).set('etag', etag).set('cache-control', 'public, max-age=3600');
    if (request.fresh) return void response.status(304).end();
    answers.inTurn(request, () => response.set('content-length', String(bytes.length)).end(bytes));
  });
}

const made = (bytes: Buffer): Asset => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
});

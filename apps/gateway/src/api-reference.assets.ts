/**
 * What the page of the API reference loads. Each file is read once and sent from memory: strangers may ask for it, a thousand at
 * once, and read nothing of it. Streamed, each of them would keep buffers of its own; so all of them wait for the same bytes.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Express } from 'express';
import { Refusal } from '#libs/domain';

/** By the page of @nestjs/swagger, whose own version of the files it is. */
const FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];
/** Made and not read from a file. */
const PAGES = ['index.html', 'swagger-ui-init.js'];

interface Asset {
  bytes: Buffer;
  etag: string;
}

export function serveAssets(server: Express): void {
  const assets = new Map<string, Asset>();
  const assetOf = (file: string): Asset => {
    const asset = assets.get(file) ?? read(file);
    assets.set(file, asset);
    return asset;
  };
  // All that begins so: behind it @nestjs/swagger streams whatever it finds, however the path is written.
  server.get(/^\/docs\//, (request, response, next) => {
    const file = request.path.slice('/docs/'.length);
    if (PAGES.includes(file)) return next();
    if (!FILES.includes(file)) return next(new Refusal('not_found', 'There is nothing at this path. See /docs.'));
    const { bytes, etag } = assetOf(file);
    response.type(file).set('etag', etag).set('cache-control', 'public, max-age=3600');
    if (request.fresh) return void response.status(304).end();
    response.set('content-length', String(bytes.length)).end(bytes);
  });
}

function read(file: string): Asset {
  const ofPage = createRequire(require.resolve('@nestjs/swagger'));
  const bytes = readFileSync(join(dirname(ofPage.resolve('swagger-ui-dist/package.json')), file));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** The API reference: OpenAPI 3.1 made from the controllers, at /openapi.json, and browsable at /docs. */
import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Express, Request } from 'express';
import { RouteTable } from '#libs/http-kit';
import { CONTRACT_VERSION, DESCRIPTION, SECURITY_SCHEMES, TAGS } from './api-reference.about';
import { serveAssets } from './api-reference.assets';
import { forCallers, forOperators } from './api-reference.readers';
import { completeOperations, operationIdOf } from './api-reference.operations';
import { referencePage } from './api-reference.page';
import { completeSchemas } from './api-reference.schemas';
import { EVENT_MODELS, EVENT_WEBHOOKS } from './api-reference.webhooks';
import { LargeAnswers } from './large-answers';

/** Needs no more than the modules' metadata, so an application in preview mode, without a database, will do. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payout Gateway')
    .setDescription(DESCRIPTION)
    .setVersion(CONTRACT_VERSION)
    .addServer('/', 'This deployment')
    .build();
  const document = SwaggerModule.createDocument(app, about, {
    operationIdFactory: operationIdOf,
    extraModels: EVENT_MODELS,
  });
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  document.webhooks = EVENT_WEBHOOKS;
  document.components = { ...document.components, securitySchemes: SECURITY_SCHEMES };
  completeOperations(document, routesOf(app));
  return completeSchemas(document);
}

/** Whether whoever asks is shown the operators' routes. */
export type ShowsOperators = (request: Request) => Promise<boolean>;

/** Made when it is first asked for: a start does not wait for it. Rendered once for each kind of reader. */
export function serveReference(app: NestExpressApplication, showsOperators: ShowsOperators): void {
  const document = once(() => openApiDocument(app));
  const callers = once(() => JSON.stringify(forCallers(document())));
  const whole = once(() => JSON.stringify(document()));
  const operators = once(() => JSON.stringify(forOperators(document())));
  const server = app.getHttpAdapter().getInstance() as Express;
  const answers = new LargeAnswers();
  const serve = (path: string, type: string, render: (shows: boolean) => string | null): void => {
    const texts = [false, true].map((shows) => once(() => textOf(render(shows))));
    server.get(path, (request, response, next) => {
      showsOperators(request).then((shows) => {
        const text = texts[shows ? 1 : 0]?.();
        if (text) answers.inTurn(request, () => response.type(type).send(text));
        else next();
      }, next);
    });
  };
  serve('/openapi.json', 'json', (shows) => (shows ? whole() : callers()));
  serve('/docs/callers.json', 'json', callers);
  serve('/docs/operators.json', 'json', (shows) => (shows ? operators() : null));
  serve('/docs', 'html', (shows) => referencePage('callers', shows));
  serve('/docs/operators', 'html', (shows) => (shows ? referencePage('operators', shows) : null));
  serveAssets(server, answers);
}

const textOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text));

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Read afresh: the application's own table is filled only once it has started. */
function routesOf(app: INestApplication): RouteTable {
  const table = new RouteTable(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner(), new Reflector());
  table.onApplicationBootstrap();
  return table;
}

/** The API reference: OpenAPI 3.1 made from the controllers, at /openapi.json, and browsable at /docs. */
import type { INestApplication } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Request } from 'express';
import { RouteTable } from '#libs/http-kit';
import { CONTRACT_VERSION, DESCRIPTION, SECURITY_SCHEMES, TAGS } from './api-reference.about';
import { forCallers } from './api-reference.callers';
import { completeOperations, operationIdOf } from './api-reference.operations';
import { completeSchemas } from './api-reference.schemas';
import { signBeforeSending } from './api-reference.try-it-out';
import { EVENT_MODELS, EVENT_WEBHOOKS } from './api-reference.webhooks';

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

/** Made when it is first asked for: a start does not wait for it. */
export function serveReference(app: INestApplication, showsOperators: ShowsOperators): void {
  let callers: OpenAPIObject | null = null;
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    patchDocumentOnRequest: async (request, _response, document) =>
      (await showsOperators(request as unknown as Request)) ? document : (callers ??= forCallers(document)),
    customSiteTitle: 'Payout Gateway: API reference',
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: {
      validatorUrl: null, // otherwise the page asks a validator on the internet
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      requestInterceptor: signBeforeSending,
    },
  });
}

/** Read afresh: the application's own table is filled only once it has started. */
function routesOf(app: INestApplication): RouteTable {
  const table = new RouteTable(new DiscoveryService(app.get(ModulesContainer)), new MetadataScanner(), new Reflector());
  table.onApplicationBootstrap();
  return table;
}

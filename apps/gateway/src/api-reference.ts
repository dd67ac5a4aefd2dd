/** The API reference: OpenAPI 3.1 made from the controllers, at /openapi.json, and browsable at /docs. */
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

export const CONTRACT_VERSION = '1.2.0';

export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Payout Gateway')
    .setVersion(CONTRACT_VERSION)
    .build();
  return SwaggerModule.createDocument(app, config);
}

/** Made when it is first asked for: a start does not wait for it. */
export function serveReference(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), { jsonDocumentUrl: 'openapi.json', raw: ['json'] });
}

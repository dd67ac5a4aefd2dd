/** What the browsable page at /docs runs: the reference itself, and how Swagger UI shows it. */
import type { OpenAPIObject } from '@nestjs/swagger';
import { signBeforeSending } from './api-reference.try-it-out';

/** Where the page looks for its script, with /docs and with /docs/index.html. */
export const PAGE_SCRIPTS = ['/docs/swagger-ui-init.js', '/docs/docs/swagger-ui-init.js'];

const LOOKS = {
  dom_id: '#swagger-ui',
  deepLinking: true,
  layout: 'StandaloneLayout',
  validatorUrl: null, // otherwise the page asks a validator on the internet
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
};

/** @nestjs/swagger would write its own anew for each request. */
export const pageScript = (document: OpenAPIObject): string => `window.onload = () => {
  window.ui = SwaggerUIBundle({
    ...${JSON.stringify(LOOKS)},
    spec: ${JSON.stringify(document)},
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    requestInterceptor: ${signBeforeSending.toString()},
  });
};
`;

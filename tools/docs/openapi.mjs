// docs/openapi.json: the API reference as the service serves it, checked against OpenAPI 3.1, with examples that fit.
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { gateway, lib } from './compiled.mjs';

let printed;

export async function openApiPage() {
  return JSON.stringify(await reference());
}

/** Read once: other pages are made of it too. */
export function reference() {
  return (printed ??= checkedDocument());
}

async function checkedDocument() {
  const document = await readDocument();
  await refuseInvalid(document);
  refuseWrongExamples(document);
  return JSON.parse(JSON.stringify(document));
}

/** In preview mode Nest reads the modules and makes nothing: no database, no port, no files. */
async function readDocument() {
  const { NestFactory } = await import('@nestjs/core');
  const { loadConfig } = lib('config');
  const given = { NODE_ENV: 'test', ROLE: 'api', OPERATOR_TOKEN: 'none', MASTER_KEY: '0'.repeat(64) };
  const config = { ...loadConfig(given), databaseUrl: 'postgres://nowhere' };
  const module = gateway('app.module').AppModule.forRoot(config);
  const app = await NestFactory.create(module, { preview: true, logger: false, abortOnError: false });
  return gateway('api-reference').openApiDocument(app);
}

async function refuseInvalid(document) {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  if (!valid) throw new Error(`The reference is no valid OpenAPI 3.1: ${JSON.stringify(errors, null, 2)}`);
}

function refuseWrongExamples(document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema({ ...document, $id: 'reference' });
  const wrong = mediaOf(document).flatMap(({ place, pointer, examples }) => {
    const validate = ajv.compile({ $ref: `reference${pointer}` });
    return examples.filter((example) => !validate(example)).map(() => `${place}: ${ajv.errorsText(validate.errors)}`);
  });
  if (wrong.length > 0) throw new Error(`These examples do not fit their schemas:\n${[...new Set(wrong)].join('\n')}`);
}

/** Every body and answer that has examples, by what it refers to. */
function mediaOf(node, place = '') {
  if (typeof node !== 'object' || node === null) return [];
  const media = node['application/json'];
  if (media?.schema?.$ref) {
    const examples = media.examples ? Object.values(media.examples).map(({ value }) => value) : [media.example];
    return [{ place, pointer: media.schema.$ref, examples }];
  }
  return Object.entries(node).flatMap(([key, value]) => mediaOf(value, `${place} ${key}`.trim()));
}

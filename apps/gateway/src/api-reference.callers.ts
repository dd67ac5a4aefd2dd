/** The reference without what only operators need: in production nobody else is shown that there is such a thing. */
import type { OpenAPIObject } from '@nestjs/swagger';
import { FOR_OPERATORS } from './api-reference.about';

const OPERATOR_PATH = /^\/operator(\/|$)/;

export function forCallers(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !OPERATOR_PATH.test(path)));
  const { operator: _, ...securitySchemes } = document.components?.securitySchemes ?? {};
  const shown: OpenAPIObject = {
    ...document,
    info: { ...document.info, description: document.info.description?.replace(FOR_OPERATORS, '') },
    tags: document.tags?.filter(({ name }) => !name.startsWith('Operator')),
    paths,
  };
  return { ...shown, components: { ...onlyUsed(shown), securitySchemes } };
}

type Components = NonNullable<OpenAPIObject['components']>;

/** What nothing refers to any more would tell as much as the routes did. */
function onlyUsed({ components = {}, ...rest }: OpenAPIObject): Components {
  const used = new Set<string>();
  const follow = (node: unknown): void => {
    for (const [, ref] of JSON.stringify(node).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (ref === undefined || used.has(ref)) continue;
      used.add(ref);
      const [kind = '', name = ''] = ref.split('/');
      follow((components as Record<string, Record<string, unknown>>)[kind]?.[name] ?? null);
    }
  };
  follow(rest);
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(Object.entries(named as object).filter(([name]) => used.has(`${kind}/${name}`))),
    ]),
  );
}

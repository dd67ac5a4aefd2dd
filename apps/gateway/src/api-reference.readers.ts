/**
 * The reference as its two kinds of readers need it. In production nobody but operators is shown that there is anything for them;
 * everywhere each reads their own routes apart from the others'.
 */
import type { OpenAPIObject } from '@nestjs/swagger';
import { FOR_OPERATORS, OPERATORS_DESCRIPTION } from './api-reference.about';

const OPERATOR_PATH = /^\/operator(\/|$)/;
const OPERATOR_TAG = /^Operator: /;

export function forCallers(document: OpenAPIObject): OpenAPIObject {
  const { operator: _, ...securitySchemes } = document.components?.securitySchemes ?? {};
  const description = document.info.description?.replace(FOR_OPERATORS, '');
  const shown = { ...only(document, false), info: { ...document.info, description } };
  return { ...shown, components: { ...onlyUsed(shown), securitySchemes } };
}

export function forOperators(document: OpenAPIObject): OpenAPIObject {
  const { operator } = document.components?.securitySchemes ?? {};
  const info = { ...document.info, description: OPERATORS_DESCRIPTION };
  const shown = { ...only(document, true), info, webhooks: {} };
  return { ...shown, components: { ...onlyUsed(shown), ...(operator ? { securitySchemes: { operator } } : {}) } };
}

/** Their routes, or all but theirs. */
function only(document: OpenAPIObject, operators: boolean): OpenAPIObject {
  const isShown = ([path]: [string, unknown]): boolean => OPERATOR_PATH.test(path) === operators;
  return {
    ...document,
    tags: document.tags?.filter(({ name }) => OPERATOR_TAG.test(name) === operators),
    paths: Object.fromEntries(Object.entries(document.paths).filter(isShown)),
  };
}

type Components = NonNullable<OpenAPIObject['components']>;

/** Schemas that nothing refers to any more would tell as much as the routes did. */
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

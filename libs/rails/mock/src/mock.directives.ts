/** What an order can ask of the mock rail, in its reason: `mock:` and one of these words. Anything else settles. */
export const DIRECTIVES = [
  'fail_transient',
  'fail_permanent',
  'insufficient_funds',
  'timeout',
  'pending',
  'return',
  'fail_once',
] as const;
export type Directive = (typeof DIRECTIVES)[number];

export function directiveOf(reason: string | null): Directive | null {
  return DIRECTIVES.find((directive) => reason === `mock:${directive}`) ?? null;
}

/**
 * Where the schema that a provider publishes lies, if somebody put it beside the repository: they are not ours to carry along.
 * null: what is said cannot be held against it here, and whoever wanted to has to say so.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const BESIDE = join(__dirname, '../../../../shared/rails');

export function publishedSchema(provider: string): string | null {
  const file = join(BESIDE, `${provider}.openapi.json`);
  return existsSync(file) ? file : null;
}

/** The test run knows by these words that something was not checked, and says so. */
export const NO_SCHEMA = "(the provider's schema is not here)";

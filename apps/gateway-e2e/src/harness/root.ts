/** Where the repository lies: the suite runs from its sources, and the chaos command from what was built of them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = above(__dirname);

function above(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : above(dirname(directory));
}

/** Every text file of the repository that people write: not what is installed, built or kept at run time. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string;
  text: string;
}

const ROOT = join(__dirname, '../..');
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.nx', '.data', '.tmp']);
const WRITTEN = /\.(ts|mjs|cjs|js|json|md|ya?ml|html|css|txt|template|Dockerfile)$|Dockerfile$/;
const GENERATED = /package-lock\.json$/;

export function sourceFiles(): SourceFile[] {
  return pathsUnder(ROOT)
    .filter((path) => WRITTEN.test(path) && !GENERATED.test(path))
    .map((path) => ({ path: relative(ROOT, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }));
}

/** What is being built stands beside dist until it is whole. */
const isOurs = (name: string): boolean => !NOT_OURS.has(name) && !name.startsWith('.dist-');

function pathsUnder(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => isOurs(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? pathsUnder(path) : [path];
  });
}

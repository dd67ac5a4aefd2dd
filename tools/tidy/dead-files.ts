/** Code that nothing reaches: a file nobody imports, and that is no entry of its own. */
import { posix } from 'node:path';
import type { SourceFile } from './source-files';

const CODE = /^(apps|libs)\/.+\.tsx?$/;
/** A lib's face, an app's start, a spec, types only. What a script or another text starts by its path counts too. */
const ENTRY = /\/src\/index\.ts$|^apps\/[^/]+\/src\/main\.ts$|[.-]spec\.ts$|\.d\.ts$/;
const IMPORT = /(?:from|import|require)\s*\(?\s*'(?<target>[^']+)'/g;

export function deadFiles(files: SourceFile[]): string[] {
  const code = files.filter(({ path }) => CODE.test(path));
  const reached = new Set(code.flatMap(importsOf));
  const others = files.filter(({ path }) => !CODE.test(path)).map(({ text }) => text);
  const started = (path: string): boolean => others.some((text) => text.includes(path.replace(/\.tsx?$/, '')));
  return code.map(({ path }) => path).filter((path) => !ENTRY.test(path) && !reached.has(path) && !started(path));
}

function importsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(IMPORT)].flatMap(({ groups }) => {
    const target = groups?.target ?? '';
    if (!target.startsWith('.')) return [];
    const stem = posix.join(posix.dirname(path), target).replace(/\.(js|tsx?)$/, '');
    return [`${stem}.ts`, `${stem}.tsx`, `${stem}/index.ts`];
  });
}

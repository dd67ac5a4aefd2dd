/** Pages that a reader follows from file to file: what they name must be there, or the walk ends in nothing. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { SourceFile } from './source-files';

const ROOT = join(__dirname, '../..');
/** Decisions are of their time, and name what was there then. */
const PAGE = /^(?:README\.md|docs\/[^/]+\.md)$/;
const NAMED = /`((?:apps|libs|tools)\/[^`\s<>{}*]+\.(?:ts|mjs))`/g;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g;

export function missingFiles(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => PAGE.test(path))
    .flatMap(({ path, text }) =>
      [...codeIn(text), ...linksIn(path, text)]
        .filter((named) => !existsSync(join(ROOT, named)))
        .map((named) => `${path}: names ${named}, which is not there.`),
    );
}

/** The files of code that a text names by their whole path, once each. */
export const codeIn = (text: string): string[] => [
  ...new Set([...text.matchAll(NAMED)].map(([, named = '']) => named)),
];

const linksIn = (path: string, text: string): string[] =>
  [...text.matchAll(LINK)].map(([, link = '']) => posix.join(posix.dirname(path), link));

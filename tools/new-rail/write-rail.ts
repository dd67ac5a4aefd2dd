/** One new folder from the templates beside this file, and one line in the gateway's list. */
import { generateFiles, type Tree } from '@nx/devkit';
import { join } from 'node:path';
import { railNames } from './rail-names';

const LIST = 'apps/gateway/src/rails.ts';
const PLACE = '// npm run new-rail adds its line above this one.';

export function writeRail(tree: Tree, name: string): void {
  const names = railNames(name);
  const folder = `libs/rails/${names.kebab}`;
  if (tree.exists(folder)) throw new Error(`${folder} is there already: choose another name or change that rail.`);
  generateFiles(tree, join(__dirname, 'templates'), folder, names);
  addToList(tree, `export { ${names.camel}Rail } from '#libs/rails/${names.kebab}';`);
}

function addToList(tree: Tree, line: string): void {
  const list = tree.read(LIST, 'utf8') ?? '';
  if (!list.includes(PLACE)) throw new Error(`${LIST} has lost the line '${PLACE}': put it back at the end.`);
  tree.write(LIST, list.replace(PLACE, `${line}\n${PLACE}`));
}

/** npm run new-rail <name>: what Nx calls. */
import { formatFiles, type Tree } from '@nx/devkit';
import { writeRail } from './write-rail';

export default async function newRail(tree: Tree, options: { name: string }): Promise<void> {
  writeRail(tree, options.name);
  await formatFiles(tree);
}

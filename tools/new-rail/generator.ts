/** npm run new-rail <name>: what Nx calls. */
import { execFileSync } from 'node:child_process';
import { formatFiles, type GeneratorCallback, type Tree } from '@nx/devkit';
import { writeRail } from './write-rail';

export default async function newRail(tree: Tree, options: { name: string }): Promise<GeneratorCallback> {
  writeRail(tree, options.name);
  await formatFiles(tree);
  // The printed list of settings names those of every rail.
  return () => void execFileSync('npm', ['run', '--silent', 'docs'], { cwd: tree.root, stdio: 'inherit' });
}

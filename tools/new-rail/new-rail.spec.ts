import { createTreeWithEmptyWorkspace } from '@nx/devkit/testing';
import type { Tree } from '@nx/devkit';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { railNames } from './rail-names';
import { writeRail } from './write-rail';

const LIST = 'apps/gateway/src/rails.ts';
const list = readFileSync(join(__dirname, '../..', LIST), 'utf8');

/** The gateway's own list in a workspace that exists only in memory. */
function workspace(): Tree {
  const tree = createTreeWithEmptyWorkspace();
  tree.write(LIST, list);
  return tree;
}

function changesOf(tree: Tree, work: () => void): string[] {
  const before = new Map(tree.listChanges().map(({ path, content }) => [path, String(content)]));
  work();
  const changes = tree.listChanges().filter(({ path, content }) => before.get(path) !== String(content));
  return changes.map(({ path }) => path);
}

describe('npm run new-rail', () => {
  it('writes one folder, and adds one line outside it', () => {
    const tree = workspace();
    const changed = changesOf(tree, () => writeRail(tree, 'zebra'));
    expect(changed.filter((path) => !path.startsWith('libs/rails/zebra/'))).toEqual([LIST]);
    const lines = tree.read(LIST, 'utf8')?.split('\n') ?? [];
    const added = "export { zebraRail } from '#libs/rails/zebra';";
    expect(lines.filter((line) => line !== added)).toEqual(list.split('\n'));
    expect(lines.filter((line) => line === added)).toHaveLength(1);
  });

  it('writes the same set of files for every rail, and leaves no placeholder in them', () => {
    const tree = workspace();
    writeRail(tree, 'zebra');
    const files = tree.listChanges().filter(({ path }) => path.startsWith('libs/rails/zebra/'));
    expect(files.map(({ path }) => path.replace('libs/rails/zebra/', '')).sort()).toEqual([
      'README.md',
      'project.json',
      'src/index.ts',
      'src/zebra.accounts.fake.ts',
      'src/zebra.accounts.ts',
      'src/zebra.client.ts',
      'src/zebra.mapping.ts',
      'src/zebra.provider.fake.ts',
      'src/zebra.rail.spec.ts',
      'src/zebra.rail.ts',
      'src/zebra.settings.ts',
      'src/zebra.ts',
    ]);
    for (const { content } of files) expect(String(content)).not.toMatch(/<%|%>|__file__/);
  });

  it('adds a second rail below the first', () => {
    const tree = workspace();
    writeRail(tree, 'zebra');
    writeRail(tree, 'yak-rail');
    expect(tree.read(LIST, 'utf8')).toMatch(
      /zebraRail.*\n.*\{ yakRail \} from '#libs\/rails\/yak-rail';\n\/\/ npm run/,
    );
  });

  it('never writes over a rail that is there', () => {
    const tree = workspace();
    writeRail(tree, 'zebra');
    expect(() => writeRail(tree, 'zebra')).toThrow(/is there already/);
  });

  it.each(['Zebra', 'zebra_rail', '../zebra', '-zebra', 'z', '9zebra', 'zebra--x'])('refuses the name %j', (name) => {
    expect(() => writeRail(workspace(), name)).toThrow(/kebab-case/);
  });

  it('spells a name in every way it needs', () => {
    expect(railNames('swap-rail')).toEqual({
      kebab: 'swap-rail',
      snake: 'swap_rail',
      upper: 'SWAP_RAIL',
      file: 'swap',
      camel: 'swap',
      pascal: 'Swap',
    });
  });
});

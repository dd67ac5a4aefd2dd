/** `master.key` may hold several keys, as MASTER_KEY may: a backup that was sealed with any of them can be restored beside it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [NEWEST, OLDER] = ['9f2c4e1ab07d6835c1e4f09ab2d3746558e1c0af93b27d4416af0859cb3e72d1', 'ab'.repeat(32)];

test('all keys of the file count', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-keys-'));
  writeFileSync(join(dataDir, 'master.key'), `${NEWEST},${OLDER}\n`);
  const said = execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `import { keysHere } from '${join(__dirname, 'facts.mjs')}';
     console.log(JSON.stringify(keysHere('${dataDir}', {}).masterKeys));`,
  ]);
  expect(JSON.parse(said.toString())).toEqual([NEWEST, OLDER]);
});

/** The tests of the Python client, by Python's own runner, its types, by mypy, and that both clients repeat the same calls. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { REPEATS } from '#libs/sdk';
import { NO_PYTHON, whyNoPython } from './python';

const ROOT = join(__dirname, '../..');
const CLIENT = join(ROOT, 'clients/python');
const ask = `import('./tools/testing/mypy.mjs').then(({ mypy }) => process.stdout.write(JSON.stringify(mypy())))`;
const mypy = JSON.parse(spawnSync(process.execPath, ['-e', ask], { cwd: ROOT, encoding: 'utf8' }).stdout) as
  [string, ...string[]] | null;
const missing = whyNoPython();
const leaveOut = test['skip'];

const python = (words: string[], cwd: string) =>
  spawnSync('env', [`PYTHONPATH=${join(CLIENT, 'src')}`, 'python3', '-B', '-W', 'error', ...words], {
    ...{ cwd, encoding: 'utf8', timeout: 110_000 },
  });

if (missing !== null) {
  process.stderr.write(`The tests of the Python client were NOT RUN: ${missing}.\n`);
  leaveOut(`its own tests pass ${NO_PYTHON}`, () => undefined);
} else {
  test('its own tests pass', () => {
    const { status, stderr } = python(['-m', 'unittest'], join(CLIENT, 'tests'));
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(Number(/Ran (\d+) tests/.exec(stderr)?.[1])).toBeGreaterThanOrEqual(20);
    expect(stderr).not.toContain('skipped');
  });

  test('both clients send the same calls again', () => {
    const program = 'import json; from payout_gateway._repeats import UNBEGUN; print(json.dumps(sorted(UNBEGUN)))';
    const { stdout } = python(['-c', program], CLIENT);
    const cautious = Object.entries(REPEATS).filter(([, repeat]) => repeat === 'unbegun');
    expect(JSON.parse(stdout)).toEqual(cautious.map(([route]) => route).sort());
  });
}

if (mypy === null) {
  process.stderr.write('The types of the Python client were NOT CHECKED: there is no mypy, and none is to be had.\n');
  leaveOut('its own sources have the types that they say (mypy is not to be had)', () => undefined);
} else {
  test('its own sources have the types that they say, and fit every route of the reference', () => {
    const [program, ...words] = mypy;
    const strictly = ['--strict', '--no-incremental', '--cache-dir', '/dev/null', 'src/payout_gateway'];
    const { status, stdout, stderr } = spawnSync(program, [...words, ...strictly], {
      ...{ cwd: CLIENT, encoding: 'utf8', timeout: 110_000 },
    });
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  });
}

/** `npm run demo -- --rails`: brings everything along, pays a person over each rail, and leaves nothing behind. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

it('pays one person over each rail, told step by step', () => {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', NO_COLOR: '1' };
  const run = spawnSync(process.execPath, ['tools/demo.mjs', '--rails'], { cwd: ROOT, env, encoding: 'utf8' });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  expect(run.stdout.match(/payout +paid, settled/g)).toHaveLength(4);
  expect(run.stdout.match(/one movement of 25.00 EUR/g)).toHaveLength(3);
  expect(run.stdout).toContain('one reward of 25.00 EUR');
  expect(run.stdout).toContain('one drain of 25 USDC');
  const [, url = ''] = /at +(http:\S+)/.exec(run.stdout) ?? [];
  return expect(fetch(url)).rejects.toThrow();
}, 180_000);

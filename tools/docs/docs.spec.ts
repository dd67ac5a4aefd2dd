import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

function runDocs(...words: string[]) {
  return spawnSync(process.execPath, ['tools/docs.mjs', ...words], { cwd: ROOT, encoding: 'utf8' });
}

describe('the printed pages', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'payout-gateway-docs-'));
    cpSync(join(ROOT, 'docs'), folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('say what the code does', () => {
    const { status, stderr } = runDocs('--check');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }, 60_000);

  it('are named when they do not, and only those', () => {
    appendFileSync(join(folder, 'states.md'), 'Payouts are always paid.\n');
    rmSync(join(folder, 'errors.md'));
    const { status, stderr } = runDocs('--check', folder);
    expect(status).toBe(1);
    expect(stderr).toContain('docs/states.md, docs/errors.md. Run npm run docs');
    expect(stderr).not.toContain('docs/reasons.md');
    expect(runDocs(folder).stdout).toContain('Written: states.md, errors.md.');
    for (const name of ['states.md', 'errors.md'])
      expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(join(ROOT, 'docs', name), 'utf8'));
  }, 60_000);
});

import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const TYPESCRIPT = 'libs/sdk/src/api-types.ts';
const PYTHON = 'clients/python/src/payout_gateway/api_types.py';

function runDocs(...words: string[]) {
  return spawnSync(process.execPath, ['tools/docs.mjs', ...words], { cwd: ROOT, encoding: 'utf8' });
}

describe('the printed pages', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'payout-gateway-docs-'));
    for (const part of ['docs', 'docker', 'libs/sdk/src', 'clients/python/src'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('say what the code does', () => {
    const { status, stderr } = runDocs('--check');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  }, 60_000);

  it('are named when they do not, and only those', () => {
    appendFileSync(join(folder, 'docs/states.md'), 'Payouts are always paid.\n');
    rmSync(join(folder, 'docs/errors.md'));
    appendFileSync(join(folder, TYPESCRIPT), 'export type Payable = unknown;\n');
    appendFileSync(join(folder, PYTHON), 'Payable = Any\n');
    const { status, stderr } = runDocs('--check', folder);
    expect(status).toBe(1);
    expect(stderr).toContain(`docs/states.md, docs/errors.md, ${TYPESCRIPT}, ${PYTHON}. Run npm run docs`);
    expect(stderr).not.toContain('docs/reasons.md');
    expect(runDocs(folder).stdout).toContain(`Written: docs/states.md, docs/errors.md, ${TYPESCRIPT}, ${PYTHON}.`);
    for (const name of ['docs/states.md', 'docs/errors.md', TYPESCRIPT, PYTHON])
      expect(readFileSync(join(folder, name), 'utf8')).toBe(readFileSync(join(ROOT, name), 'utf8'));
  }, 60_000);
});

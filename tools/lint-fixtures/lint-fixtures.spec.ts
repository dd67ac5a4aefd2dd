/** Every rule has an example that must fail: a rule that has gone silent fails here. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { statusWrites } from '../tidy/status-writes';

interface Fixture {
  name: string;
  as: string;
  rule: string;
  saying: string;
  code: string;
}
interface Finding {
  ruleId: string | null;
  message: string;
}

const ROOT = join(__dirname, '../..');
const FORM = /^as: (?<as>.+)\nrefused by: (?<rule>.+)\nsaying: (?<saying>.+)\n---\n(?<code>[^]+)$/;

const fixtures = readdirSync(__dirname)
  .filter((file) => file.endsWith('.txt'))
  .map(read);

function read(file: string): Fixture {
  const groups = FORM.exec(readFileSync(join(__dirname, file), 'utf8'))?.groups as Omit<Fixture, 'name'> | undefined;
  if (!groups) throw new Error(`tools/lint-fixtures/${file} must begin with the lines as, refused by, saying and ---.`);
  return { name: file.replace('.txt', ''), ...groups };
}

describe('lint refuses', () => {
  let findings: Map<string, Finding[]>;

  beforeAll(() => {
    const options = { cwd: ROOT, input: JSON.stringify(fixtures), encoding: 'utf8' } as const;
    const found = JSON.parse(execFileSync(process.execPath, [join(__dirname, 'lint.mjs')], options)) as Finding[][];
    findings = new Map(fixtures.map(({ name }, index) => [name, found[index] ?? []]));
  }, 60_000);

  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (name, fixture) => {
    const tidy = statusWrites(fixture.as, fixture.code).map((message) => ({ ruleId: 'tidy/status-writes', message }));
    const found = [...(findings.get(name) ?? []), ...tidy];
    expect(found).toContainEqual({ ruleId: fixture.rule, message: expect.stringContaining(fixture.saying) as string });
  });

  it('nothing else in the fixtures, so that each one fails for its own reason', () => {
    for (const { name, rule } of fixtures)
      for (const { ruleId } of findings.get(name) ?? []) expect([name, ruleId]).toEqual([name, rule]);
  });
});

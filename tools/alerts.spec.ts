/** The alerts in docker/: judged by the tool of Prometheus, where that is to be had, and about nothing that is not told. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REASONS } from '#libs/domain';

const ROOT = join(__dirname, '..');
const ask = `import('./tools/testing/promtool.mjs').then(({ promtool }) => process.stdout.write(promtool() ?? ''))`;
const promtool = spawnSync(process.execPath, ['-e', ask], { cwd: ROOT, encoding: 'utf8' }).stdout;
// A test that somebody skips is refused elsewhere; this one is told.
const leaveOut = it['skip'];

function expectCommandsIn(text: string): void {
  const help = spawnSync(process.execPath, ['tools/gw.mjs', '--help'], { cwd: ROOT, encoding: 'utf8' }).stdout;
  for (const [, command = ''] of text.matchAll(/`gw ([a-z]+(?: [a-z][a-z-]*)?)/g)) expect(help).toContain(command);
}

describe('the alerts', () => {
  if (promtool === '') {
    leaveOut('were judged by nobody (promtool is not to be had)', () => undefined);
  } else {
    it.each([
      ['check', 'rules', 'docker/alerts.yml'],
      ['test', 'rules', 'docker/alerts.test.yml'],
    ])('promtool %s %s %s', (...words) => {
      const { status, stdout, stderr } = spawnSync(promtool, words, { cwd: ROOT, encoding: 'utf8' });
      expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
    });
  }

  it('say what to do, and name only commands that gw has', () => {
    const text = readFileSync(join(ROOT, 'docker/alerts.yml'), 'utf8');
    const alerts = text.split('- alert: ').slice(1);
    expect(alerts.length).toBeGreaterThan(10);
    for (const alert of alerts) expect(alert).toMatch(/action: \S/);
    expectCommandsIn(text);
  });

  it('lead to a page that names only commands that gw has, and asks an operator to read nothing with a key of a client', () => {
    const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    expectCommandsIn(page);
    expect(page).not.toContain('GET /api/v1');
  });

  it('have a line each on the operating page, and there is none of another', () => {
    const [rules, page] = ['docker/alerts.yml', 'docs/operating.md'].map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    );
    const section = page?.split('\n## Alerts\n')[1]?.split('\n## ')[0] ?? '';
    const namesIn = (text: string, line: RegExp): string[] => [...text.matchAll(line)].map(([, name = '']) => name);
    expect(namesIn(section, /^\| `(\w+)`/gm)).toEqual(namesIn(rules ?? '', /- alert: (\w+)/g));
  });

  it('watch each reason that waits for an operator, and none that waits for somebody else', () => {
    const watched = [...readFileSync(join(ROOT, 'docker/alerts.yml'), 'utf8').matchAll(/reason=~?"([^"]+)"/g)];
    const ofOperators = Object.entries(REASONS).filter(
      ([, { state, actor }]) => state === 'held' && actor === 'operator',
    );
    expect(watched.flatMap(([, codes = '']) => codes.split('|')).sort()).toEqual(
      ofOperators.map(([code]) => code).sort(),
    );
  });

  it('and the dashboard are about what the operating page lists', () => {
    const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const sources = ['docker/alerts.yml', 'docker/dashboard.json'].map((file) =>
      readFileSync(join(ROOT, file), 'utf8'),
    );
    const named = [...new Set(sources.join('\n').match(/gw_[a-z_]+/g))].map((name) =>
      name.replace(/_(count|bucket)$/, ''),
    );
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(page).toContain(`\`${name}\``);
  });
});

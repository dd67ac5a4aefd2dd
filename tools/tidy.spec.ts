/** The style of the repository as a test. Each rule is short, and says what to do instead. */
import { complaintsAbout } from './tidy/complaints';
import { deadFiles } from './tidy/dead-files';
import { codeIn, missingFiles } from './tidy/named-files';
import { sourceFiles } from './tidy/source-files';

const files = sourceFiles();

describe('the repository is tidy', () => {
  it('is what this looks at', () => {
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['package.json', 'libs/domain/src/index.ts']));
  });

  it('in every file', () => {
    expect(files.flatMap(complaintsAbout)).toEqual([]);
  });

  it('in having no file that nothing reaches', () => {
    expect(deadFiles(files)).toEqual([]);
  });

  it('in having pages that name only what is there', () => {
    expect(missingFiles(files)).toEqual([]);
  });

  it('in walking a payout through twenty files at most', () => {
    const page = files.find(({ path }) => path === 'docs/path-of-a-payout.md');
    const rows = page?.text.split('\n').filter((line) => /^\| *\d+ *\|/.test(line)) ?? [];
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.length).toBeLessThanOrEqual(20);
    expect(codeIn(rows.join('\n'))).toHaveLength(rows.length);
  });

  it('in giving every project what the boundary rules go by', () => {
    const projects = files.filter(({ path }) => path.endsWith('project.json'));
    expect(projects.length).toBeGreaterThan(0);
    const untagged = projects.filter(({ text }) => {
      const { tags = [] } = JSON.parse(text) as { tags?: string[] };
      return !['type:', 'scope:'].every((axis) => tags.filter((tag) => tag.startsWith(axis)).length === 1);
    });
    expect(untagged.map(({ path }) => `${path}: give it one type: and one scope: tag`)).toEqual([]);
  });

  it('in giving a project a test target if it has specs, and only then', () => {
    const projects = files.filter(({ path }) => path.endsWith('project.json'));
    const roots = projects.map(({ path }) => path.replace('project.json', ''));
    const ownerOf = (path: string): string | undefined =>
      roots.filter((root) => path.startsWith(root)).sort((a, b) => b.length - a.length)[0];
    const withSpecs = new Set(files.flatMap(({ path }) => (path.endsWith('.spec.ts') ? (ownerOf(path) ?? []) : [])));
    const wrong = projects.filter(({ path, text }) => {
      const { targets = {} } = JSON.parse(text) as { targets?: Record<string, unknown> };
      return withSpecs.has(path.replace('project.json', '')) !== 'test' in targets;
    });
    expect(wrong.map(({ path }) => `${path}: a target that runs no test says nothing`)).toEqual([]);
  });

  it('in having no folder of code outside a project', () => {
    const roots = files
      .filter(({ path }) => path.endsWith('project.json'))
      .map(({ path }) => path.replace('project.json', ''));
    const code = files.map(({ path }) => path).filter((path) => /^(apps|libs)\/.+\.tsx?$/.test(path));
    expect(code.filter((path) => !roots.some((root) => path.startsWith(root)))).toEqual([]);
  });
});

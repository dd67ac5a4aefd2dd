import { complaintsAbout } from './complaints';
import { deadFiles } from './dead-files';
import { missingFiles } from './named-files';

const complain = (path: string, text: string): string[] => complaintsAbout({ path, text });

describe('tidy refuses', () => {
  it.each([
    ['libs/payouts/src/utils.ts', ''],
    ['libs/payouts/src/common/money.ts', ''],
    ['libs/payouts/src/payout-helper.ts', ''],
    ['libs/payouts/src/base.store.ts', ''],
    ['libs/payouts/src/queue-manager.ts', ''],
    ['libs/payouts/src/a.ts', '// TODO: later'],
    ['docs/a.md', 'FIXME'],
    ['libs/payouts/src/a.spec.ts', "it.skip('pays', () => undefined);"],
    ['libs/payouts/src/a.spec.ts', "describe.only('pays', () => undefined);"],
    ['libs/payouts/src/a.ts', '// eslint-disable-next-line max-lines'],
    ['libs/payouts/src/a.ts', "const file = '/home/ada/payouts';"],
    ['libs/payouts/src/index.ts', "export * from './payout';"],
    ['libs/payouts/src/index.ts', "export { PayoutStore } from './db/payout.store';"],
    ['libs/payouts/README.md', 'line\n'.repeat(151)],
  ])('%s with %j', (path, text) => {
    expect(complain(path, text)).toHaveLength(1);
  });

  it.each([
    ['libs/embedded-postgres/src/database.ts', ''],
    ['tsconfig.base.json', '{}'],
    ['libs/payouts/src/a.ts', '// eslint-disable-next-line max-lines -- the table is one'],
    ['libs/payouts/src/a.ts', "const path = '/v1/work/items'; // the only one"],
    ['libs/payouts/README.md', 'line\n'.repeat(150)],
  ])('but not %s with %j', (path, text) => {
    expect(complain(path, text)).toEqual([]);
  });

  it('a file that nothing imports, starts or tests', () => {
    const files = [
      { path: 'libs/a/src/index.ts', text: "export { used } from './used';" },
      { path: 'libs/a/src/used.ts', text: "const lazy = () => import('./lazy');" },
      { path: 'libs/a/src/lazy.ts', text: '' },
      { path: 'libs/a/src/dead.ts', text: '' },
      { path: 'apps/b/src/command.ts', text: '' },
      { path: 'tools/start.mjs', text: "await import('../dist/apps/b/src/command.js');" },
    ];
    expect(deadFiles(files)).toEqual(['libs/a/src/dead.ts']);
  });

  it('a page that names what is not there', () => {
    const text = 'Read `libs/domain/src/index.ts` and `libs/domain/src/gone.ts`, [this](adr) and [that](gone.md#part).';
    expect(missingFiles([{ path: 'docs/page.md', text }])).toEqual([
      'docs/page.md: names libs/domain/src/gone.ts, which is not there.',
      'docs/page.md: names docs/gone.md, which is not there.',
    ]);
    expect(missingFiles([{ path: 'docs/adr/0001-then.md', text }])).toEqual([]);
  });
});

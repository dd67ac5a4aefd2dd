/** In containers each process is the first of its own: two that start at once on one DATA_DIR have one pid, and have to agree all the same. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeIfNone } from './whole-file';

jest.mock('node:fs', () => ({ ...jest.requireActual('node:fs') }));
const fs = jest.requireMock<typeof import('node:fs')>('node:fs');

const inDir = (): string => join(mkdtempSync(join(tmpdir(), 'gw-same-pid-')), 'master.key');

test('a process is not stopped by another of its pid that is through meanwhile', () => {
  const file = inDir();
  const link = fs.linkSync;
  jest.spyOn(fs, 'linkSync').mockImplementationOnce((from, to) => {
    writeIfNone(file, 'of the other\n');
    link(from, to);
  });
  writeIfNone(file, 'of this one\n');
  expect(readFileSync(file, 'utf8')).toBe('of the other\n');
});

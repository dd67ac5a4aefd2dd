/** A power cut leaves a file empty, cut off, or filled with zeros, if it was on no disk yet. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './config';
import { ConfigError } from './data-dir';

const KEY = '9f2c4e1ab07d6835c1e4f09ab2d3746558e1c0af93b27d4416af0859cb3e72d1';
const TORN = [
  ['empty', ''],
  ['filled with zeros', '\0'.repeat(65)],
  ['cut off', KEY.slice(0, 12)],
];

describe.each(TORN)('the secrets of a development machine, in a file that is %s', (_, torn) => {
  let dataDir: string;
  const inDataDir = (name: string): string => join(dataDir, name);
  const text = (name: string): string => readFileSync(inDataDir(name), 'utf8').trim();
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'gw-secrets-'));
  });

  test('the operator has another token', () => {
    const { masterKeys } = loadConfig({ DATA_DIR: dataDir });
    writeFileSync(inDataDir('operator.token'), torn);
    const { operatorToken } = loadConfig({ DATA_DIR: dataDir });
    expect(operatorToken).toMatch(/^gw_op_/);
    expect(text('operator.token')).toBe(operatorToken);
    expect(statSync(inDataDir('operator.token')).mode & 0o777).toBe(0o600);
    expect(loadConfig({ DATA_DIR: dataDir })).toMatchObject({ operatorToken, masterKeys });
    expect(readdirSync(dataDir).sort()).toEqual(['master.key', 'operator.token']);
  });

  test('what a start had made anew that was cut off is taken', () => {
    writeFileSync(inDataDir('operator.token'), torn);
    writeFileSync(inDataDir('operator.token.anew'), 'gw_op_on-disk-before-it-had-its-name\n');
    const { operatorToken } = loadConfig({ DATA_DIR: dataDir });
    expect([operatorToken, text('operator.token')]).toEqual(Array(2).fill('gw_op_on-disk-before-it-had-its-name'));
  });

  test('a master key is made anew that sealed nothing: there is no database yet', () => {
    writeFileSync(inDataDir('master.key'), torn);
    mkdirSync(inDataDir('postgres.17.new'));
    const { masterKeys } = loadConfig({ DATA_DIR: dataDir });
    expect(masterKeys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(text('master.key')).toBe(masterKeys[0]);
  });

  test.each(['postgres', 'postgres.before-restore'])('no other master key is made beside a database: %s', (place) => {
    mkdirSync(inDataDir(place));
    writeFileSync(inDataDir('master.key'), torn);
    const start = () => loadConfig({ DATA_DIR: dataDir });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(/master\.key is empty or cut off.*Put back.*MASTER_KEY/s);
    expect(readFileSync(inDataDir('master.key'), 'utf8')).toBe(torn);
    expect(loadConfig({ DATA_DIR: dataDir, MASTER_KEY: KEY }).masterKeys).toEqual([KEY]);
  });

  test('nor where the database is elsewhere, and nobody knows what is in it', () => {
    writeFileSync(inDataDir('master.key'), torn);
    const start = () => loadConfig({ DATA_DIR: dataDir, DATABASE_URL: 'postgres://db.example/gateway' });
    expect(start).toThrow(/master\.key is empty or cut off/);
  });
});

test('secrets that somebody wrote into the files are kept', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-secrets-'));
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'master.key'), `${KEY},${[...KEY].reverse().join('')}\n`);
  writeFileSync(join(dataDir, 'operator.token'), 'a-token-of-my-own-machine\n');
  const { operatorToken, masterKeys } = loadConfig({ DATA_DIR: dataDir });
  expect([operatorToken, masterKeys.length]).toEqual(['a-token-of-my-own-machine', 2]);
});

import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './config';
import { ConfigError } from './data-dir';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'gw-config-'));
const KEY = 'ab'.repeat(32);
const PRODUCTION = { NODE_ENV: 'production', DATA_DIR, OPERATOR_TOKEN: 'token', MASTER_KEY: KEY };

describe('configuration', () => {
  test('development needs nothing, and keeps the secrets it makes', () => {
    const config = loadConfig({ DATA_DIR });
    expect(config).toMatchObject({
      port: 3000,
      role: 'all',
      databaseUrl: null,
      redisUrl: null,
      rateLimitPerMinute: 600,
      production: false,
    });
    expect(config.publicUrl).toBe('http://localhost:3000');
    expect(loadConfig({ DATA_DIR })).toMatchObject({
      operatorToken: config.operatorToken,
      masterKeys: config.masterKeys,
    });
    expect(readFileSync(join(DATA_DIR, 'operator.token'), 'utf8').trim()).toBe(config.operatorToken);
    expect(statSync(join(DATA_DIR, 'master.key')).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['PORT', '99999'],
    ['PORT', 'http'],
    ['ROLE', 'boss'],
    ['DATABASE_URL', 'mysql://x'],
    ['REDIS_URL', 'localhost:6379'],
    ['PUBLIC_URL', 'ftp://x'],
    ['MASTER_KEY', 'short'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['LOG_LEVEL', 'loud'],
    ['SMTP_URL', 'https://mail.example'],
    ['MAIL_FROM', 'Acme'],
    ['MAIL_FROM', 'a@acme.example, b@acme.example'],
    ['MAIL_FROM', 'a,b@acme.example'],
    ['MAIL_FROM', 'Acme "Pay <pay@acme.example>'],
    ['MAIL_FROM', 'Acme\r\nBcc: all <pay@acme.example>'],
  ])('%s=%s stops the start with a line that names it', (name, value) => {
    expect(() => loadConfig({ DATA_DIR, [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ DATA_DIR, [name]: value })).toThrow(new RegExp(`^${name} must`));
  });

  test.each(['OPERATOR_TOKEN', 'MASTER_KEY'])('production does not make up %s', (name) => {
    expect(() => loadConfig({ ...PRODUCTION, [name]: undefined })).toThrow(`${name} is not set`);
    expect(loadConfig(PRODUCTION).production).toBe(true);
  });

  test.each(['pay@acme.example', 'Acme, Inc. <pay@acme.example>', '"Größe" <pay@localhost>'])(
    'mails may come from %s',
    (mailFrom) => {
      expect(loadConfig({ DATA_DIR, MAIL_FROM: mailFrom }).mailFrom).toBe(mailFrom);
    },
  );

  test('an empty value counts as unset', () => {
    expect(loadConfig({ DATA_DIR, PORT: '', REDIS_URL: '' })).toMatchObject({ port: 3000, redisUrl: null });
  });

  test('a data directory is made, with those above it', () => {
    const deep = join(DATA_DIR, 'a', 'b');
    loadConfig({ DATA_DIR: deep });
    expect(existsSync(join(deep, 'master.key'))).toBe(true);
  });

  test('a data directory that cannot be one stops the start with a line that names it', () => {
    const file = join(DATA_DIR, 'file');
    writeFileSync(file, '');
    const places = [file, join(file, 'below'), ...(process.platform === 'linux' ? ['/proc/nowhere/below'] : [])];
    for (const place of places) {
      expect(() => loadConfig({ DATA_DIR: place })).toThrow(ConfigError);
      expect(() => loadConfig({ DATA_DIR: place })).toThrow(/^DATA_DIR must be a directory .*: E[A-Z]+ at \S+\.$/);
    }
  });

  test('master keys can be several, the newest first', () => {
    expect(loadConfig({ ...PRODUCTION, MASTER_KEY: `${KEY.toUpperCase()},${'cd'.repeat(32)}` }).masterKeys).toEqual([
      KEY,
      'cd'.repeat(32),
    ]);
  });
});

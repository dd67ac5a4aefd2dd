import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from './config';
import { ConfigError } from './data-dir';

const DATA_DIR = mkdtempSync(join(tmpdir(), 'gw-config-'));
const KEY = '9f2c4e1ab07d6835c1e4f09ab2d3746558e1c0af93b27d4416af0859cb3e72d1';
const TOKEN = 'b7e19c02d4f86a35e0c1b29d7f48a6530f9e8d7c6b5a4132';
const PRODUCTION = {
  NODE_ENV: 'production',
  DATA_DIR,
  OPERATOR_TOKEN: TOKEN,
  MASTER_KEY: KEY,
  PUBLIC_URL: 'https://pay.example',
  DATABASE_URL: 'postgres://db.example/gateway',
};

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
    ['PUBLIC_URL', 'https:pay.example'],
    ['PUBLIC_URL', ' https://pay.example'],
    ['PUBLIC_URL', 'https://pay.example/base'],
    ['DATABASE_URL', 'postgres:db.example'],
    ['REDIS_URL', 'redis:'],
    ['DEPLOYMENT', ' '],
    ['DEPLOYMENT', 'gateway\r'],
    ['DEPLOYMENT', 'g'.repeat(101)],
    ['MASTER_KEY', 'short'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['DATABASE_POOL', '3'],
    ['LOG_LEVEL', 'loud'],
    ['SMTP_URL', 'https://mail.example'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtps://user:password@'],
    ['MAIL_FROM', 'Acme'],
    ['MAIL_FROM', 'a@acme.example, b@acme.example'],
    ['MAIL_FROM', 'a,b@acme.example'],
    ['MAIL_FROM', 'Acme "Pay <pay@acme.example>'],
    ['MAIL_FROM', 'Acme\r\nBcc: all <pay@acme.example>'],
  ])('%s=%s stops the start with a line that names it', (name, value) => {
    expect(() => loadConfig({ DATA_DIR, [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ DATA_DIR, [name]: value })).toThrow(new RegExp(`^${name} must`));
  });

  test.each(['OPERATOR_TOKEN', 'MASTER_KEY', 'PUBLIC_URL', 'DATABASE_URL'])(
    'production does not make up %s',
    (name) => {
      expect(() => loadConfig({ ...PRODUCTION, [name]: undefined })).toThrow(`${name} is not set`);
      expect(loadConfig(PRODUCTION).production).toBe(true);
    },
  );

  test.each([
    ['OPERATOR_TOKEN', 'x'],
    ['OPERATOR_TOKEN', TOKEN.slice(0, 31)],
    ['OPERATOR_TOKEN', 'a'.repeat(64)],
    ['OPERATOR_TOKEN', 'password1'.repeat(5)],
    ['OPERATOR_TOKEN', `ÄÖÜ${TOKEN}`],
    ['OPERATOR_TOKEN', `${TOKEN} `],
    ['MASTER_KEY', '0'.repeat(64)],
    ['MASTER_KEY', 'F'.repeat(64)],
    ['MASTER_KEY', '0123456789abcdef'.repeat(4)],
    ['MASTER_KEY', `${KEY},${'0'.repeat(64)}`],
    ['OPERATOR_TOKEN', 'changeme-changeme-changeme-changeme'],
    ['OPERATOR_TOKEN', '12345678901234567890123456789012'],
    ['OPERATOR_TOKEN', 'abcdefghijklmnopqrstuvwxyz012345'],
    ['OPERATOR_TOKEN', 'secret-operator-token-of-production'],
    ['MASTER_KEY', `${'0'.repeat(57)}1234567`],
    ['MASTER_KEY', '00112233445566778899aabbccddeeff00112233445566778899aabbccddeefe'],
    ['MASTER_KEY', 'fedcba98765432100123456789abcdef'.repeat(2)],
    ['MASTER_KEY', 'deadbeefcafe'.repeat(5) + 'dead'],
  ])('production refuses %s=%s, which can be guessed; development takes it', (name, value) => {
    expect(() => loadConfig({ ...PRODUCTION, [name]: value })).toThrow(ConfigError);
    expect(() => loadConfig({ ...PRODUCTION, [name]: value })).toThrow(new RegExp(`^${name} must be .*openssl rand`));
    expect(loadConfig({ ...PRODUCTION, NODE_ENV: 'development', [name]: value }).production).toBe(false);
  });

  test('what was rolled is taken', () => {
    for (let roll = 0; roll < 2_000; roll += 1) {
      const OPERATOR_TOKEN = randomBytes(16).toString('hex');
      const MASTER_KEY = randomBytes(32).toString('hex');
      expect(loadConfig({ ...PRODUCTION, OPERATOR_TOKEN, MASTER_KEY })).toMatchObject({
        operatorToken: OPERATOR_TOKEN,
      });
    }
  });

  test.each([
    'http://pay.example',
    'http://0.0.0.0:3000',
    'http://127.pay.example',
    'http://127.0.0.1.pay.example',
    'https://u:p@a.example',
    'https://a.example?y',
    'https://a.example/#z',
    'https://pay.example ',
    'https://pay.example\r',
    'https://pay.example;x',
    'https://pay.example\\',
    'https://*.example',
  ])('production makes no links from PUBLIC_URL=%s; development does', (PUBLIC_URL) => {
    expect(() => loadConfig({ ...PRODUCTION, PUBLIC_URL })).toThrow(/^PUBLIC_URL must be an https/);
    expect(loadConfig({ ...PRODUCTION, NODE_ENV: 'development', PUBLIC_URL }).production).toBe(false);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://pay.example'])(
    'production can be tried at PUBLIC_URL=%s',
    (PUBLIC_URL) => expect(loadConfig({ ...PRODUCTION, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL),
  );

  test.each([
    ['is', (key: string) => key.toUpperCase()],
    ['holds', (key: string) => `gw_op_${key}`],
  ])('production has no token that %s what opens the secrets at rest', (_, tokenOf) => {
    const key = randomBytes(32).toString('hex');
    const MASTER_KEY = `${randomBytes(32).toString('hex')},${key}`;
    expect(() => loadConfig({ ...PRODUCTION, MASTER_KEY, OPERATOR_TOKEN: tokenOf(key) })).toThrow(
      /^OPERATOR_TOKEN must be another secret than MASTER_KEY/,
    );
  });

  test('production runs on the embedded database only when that is asked for', () => {
    const embedded = { ...PRODUCTION, DATABASE_URL: undefined };
    expect(() => loadConfig(embedded)).toThrow(/EMBEDDED_DATABASE must be true/);
    expect(loadConfig({ ...embedded, EMBEDDED_DATABASE: 'true' }).databaseUrl).toBeNull();
    expect(() => loadConfig({ ...PRODUCTION, EMBEDDED_DATABASE: 'true' })).toThrow(/^EMBEDDED_DATABASE must be false/);
    expect(() => loadConfig({ DATA_DIR, EMBEDDED_DATABASE: 'maybe' })).toThrow(/^EMBEDDED_DATABASE must be one of/);
  });

  test('each surface has a port of its own', () => {
    const ports = { DATA_DIR, PORT: '4000', OPERATOR_PORT: '4001', METRICS_PORT: '4002' };
    expect(loadConfig(ports)).toMatchObject({ port: 4000, operatorPort: 4001, metricsPort: 4002 });
    expect(() => loadConfig({ ...ports, OPERATOR_PORT: '4000' })).toThrow(
      'OPERATOR_PORT must be another port than PORT',
    );
    expect(() => loadConfig({ ...ports, METRICS_PORT: '4001' })).toThrow('METRICS_PORT must be another port');
    const worker = { DATA_DIR, ROLE: 'worker', WORKER_PORT: '4002', METRICS_PORT: '4002' };
    expect(() => loadConfig(worker)).toThrow('METRICS_PORT must be another port than WORKER_PORT');
    expect(loadConfig({ ...worker, WORKER_PORT: '3000' }).metricsPort).toBe(4002);
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
    const older = [...KEY].reverse().join('');
    const { masterKeys } = loadConfig({ ...PRODUCTION, MASTER_KEY: `${KEY.toUpperCase()},${older}` });
    expect(masterKeys).toEqual([KEY, older]);
  });
});

import { loadConfig } from '#libs/config';
import { databaseFailure, listenFailure } from './start-failure';

const failure = (code: string, message = ''): NodeJS.ErrnoException => Object.assign(new Error(message), { code });
const SECRETS = { OPERATOR_TOKEN: 'token', MASTER_KEY: 'ab'.repeat(32) };

describe('why a process did not start', () => {
  const config = loadConfig({ ...SECRETS, HOST: '1.2.3.4' });
  const worker = loadConfig({ ...SECRETS, ROLE: 'worker', WORKER_PORT: '80' });

  test.each([
    ['EADDRINUSE', config, 3000, /^Port 3000 is in use\. Set PORT /],
    ['EACCES', worker, 80, /^Port 80 is closed to this user\. Set WORKER_PORT /],
    ['EADDRNOTAVAIL', config, 3000, /^HOST is 1\.2\.3\.4, which is no address of this machine\. Set it to /],
  ])('listening: %s', (code, settings, port, line) => {
    expect(listenFailure(failure(code), settings, port).message).toMatch(line);
  });

  test.each([
    ['ENOTFOUND', '', /^DATABASE_URL names the host db\.invalid, /],
    ['ECONNREFUSED', '', /^The database at DATABASE_URL \(db\.invalid:5433\) does not answer/],
    [
      '',
      'Connection terminated due to connection timeout',
      /^The database at DATABASE_URL \(db\.invalid:5433\) does not/,
    ],
    ['28P01', 'password authentication failed for user "u"', /refuses: password .*\. Correct DATABASE_URL\.$/],
  ])('the database: %s', (code, message, line) => {
    const told = databaseFailure(failure(code, message), 'postgres://u:secret@db.invalid:5433/gateway').message;
    expect(told).toMatch(line);
    expect(told).not.toContain('secret');
  });

  test('what nobody foresaw is told as it is', () => {
    const error = failure('42601', 'syntax error');
    expect(databaseFailure(error, 'postgres://db.invalid/x')).toBe(error);
    expect(listenFailure(error, config, 3000)).toBe(error);
  });
});

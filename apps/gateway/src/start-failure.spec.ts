import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Port } from './ports';
import { databaseFailure, listenFailure } from './start-failure';

const failure = (code: string, message = ''): NodeJS.ErrnoException =>
  Object.assign(new Error(message), { code, ...(code.startsWith('EN') && { syscall: 'getaddrinfo' }) });

describe('why a process did not start', () => {
  const at = (setting: Port['setting'], number: number): Port => ({ setting, number, serves: [] });

  test.each([
    ['EADDRINUSE', at('PORT', 3000), /^Port 3000 is in use\. Set PORT /],
    ['EACCES', at('WORKER_PORT', 80), /^Port 80 is closed to this user\. Set WORKER_PORT /],
    ['EADDRINUSE', at('OPERATOR_PORT', 3001), /^Port 3001 is in use\. Set OPERATOR_PORT /],
    ['EADDRNOTAVAIL', at('PORT', 3000), /^HOST is 1\.2\.3\.4, which is no address of this machine\. Set it to /],
  ])('listening: %s', (code, port, line) => {
    expect(listenFailure(failure(code), port, '1.2.3.4').message).toMatch(line);
  });

  test.each(['nobody.invalid', 'x'.repeat(300)])('listening at a name that is none', async (host) => {
    const [error] = (await once(createServer().listen(0, host), 'error')) as [Error];
    expect(listenFailure(error, at('PORT', 3000), host).message).toMatch(/^HOST is /);
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
    expect(listenFailure(error, at('PORT', 3000), '127.0.0.1')).toBe(error);
  });
});

import type { Config } from '#libs/config';
import type { GatewayRequest } from '#libs/http-kit';
import { FailedAttempts } from './failed-attempts';

const LIMIT = 3;

describe('failed authentications', () => {
  const clock = { now: () => new Date(0) };
  let failures: FailedAttempts;
  beforeEach(() => {
    failures = new FailedAttempts({ authFailuresPerMinute: LIMIT } as Config, clock);
  });
  const from = (ip: string): GatewayRequest => ({ ip }) as GatewayRequest;
  const counts = (ip: string): Promise<boolean> =>
    failures.count(from(ip)).then(
      () => true,
      () => false,
    );

  test.each([
    ['one network of IPv6', (nth: number) => `2001:db9::${nth}`],
    ['one address with a port', (nth: number) => `5.6.7.8:${1_000 + nth}`],
    [
      'spellings of one address',
      (nth: number) => ['2001:dba::1', '2001:DBA:0::1', '2001:0dba::0:1'][nth % 3] as string,
    ],
    ['an address in the clothes of IPv6', (nth: number) => (nth % 2 ? '9.9.9.9' : '::ffff:9.9.9.9')],
    ['what is no address', (nth: number) => 'x'.repeat(nth + 1)],
  ])('of %s count together', async (_, address) => {
    const told = Array.from({ length: LIMIT + 2 }, (_unused, nth) => counts(address(nth)));
    expect(await Promise.all(told)).toEqual([true, true, true, false, false]);
    expect(failures.tooMany(from(address(0)))).toBe(true);
    expect(failures.tooMany(from('10.0.0.1'))).toBe(false);
  });
});

/** One sender looks at hundreds of payments, each by its own link. Whoever looks at one takes turns with them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FailedAttempts } from '#libs/auth';
import type { GatewayRequest } from '#libs/http-kit';
import { PageDoor } from './page-door';

const PAYMENTS = 400;
/** One of each has its turn before a second one of anybody. */
const SOON = 20;

test('who looks at one payment does not wait for looks at hundreds of others that one sender asks for', async () => {
  const read: string[] = [];
  const payoutOf = async (token: string): Promise<object> => {
    read.push(token);
    await nextTurn(); // the way to the database and back
    return { clientId: token === 'other' ? 'b' : 'a', payeeId: `of ${token}` };
  };
  const clock = { now: () => new Date('2026-11-28T12:00:00Z') };
  const failures = new FailedAttempts({ authFailuresPerMinute: 600 } as never, clock);
  const door = new PageDoor({} as never, { payoutOf } as never, {} as never, failures, clock);
  const from = (ip: string): GatewayRequest => ({ ip, headers: {} }) as never;
  const looks = Array.from({ length: PAYMENTS }, (_, nth) => door.payoutOf(from('192.0.2.1'), `payment ${nth}`));
  await nextTurn();
  await door.payoutOf(from('198.51.100.7'), 'other');
  const before = read.indexOf('other');
  await Promise.all(looks);
  expect(before).toBeLessThanOrEqual(SOON);
});

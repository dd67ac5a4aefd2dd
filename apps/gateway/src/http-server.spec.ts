import helmet from 'helmet';
import { sayTheSameToAll } from './http-server';

type Middleware = ReturnType<typeof sayTheSameToAll>;

function headersBy(middleware: Middleware): Map<string, string> {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name.toLowerCase(), value),
    removeHeader: (name: string) => headers.delete(name.toLowerCase()),
  };
  let isPassedOn = false;
  middleware({} as never, response as never, () => (isPassedOn = true));
  expect(isPassedOn).toBe(true);
  return headers;
}

describe('what is said with every answer', () => {
  test.each([true, false])('is what helmet would say, each time (production: %s)', (production) => {
    const directives = { upgradeInsecureRequests: production ? [] : null };
    const wanted = headersBy(helmet({ contentSecurityPolicy: { directives }, hsts: production }));
    const say = sayTheSameToAll(production);
    expect(wanted.size).toBeGreaterThan(9);
    for (let answer = 0; answer < 2; answer += 1) expect(headersBy(say)).toEqual(wanted);
    expect(wanted.has('strict-transport-security')).toBe(production);
  });
});

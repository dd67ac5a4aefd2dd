import type { ExecutionContext } from '@nestjs/common';
import { firstValueFrom, from } from 'rxjs';
import { InTurn } from './list';

describe('lists', () => {
  test('one client waits for its own, and another is served meanwhile', async () => {
    const inTurn = new InTurn();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (client: string): Promise<unknown> => {
      const context = { switchToHttp: () => ({ getRequest: () => ({ client: { id: client } }) }) };
      const handle = () => {
        begun.push(client);
        return from(new Promise((resolve) => ends.push(() => resolve(client))));
      };
      return firstValueFrom(inTurn.intercept(context as ExecutionContext, { handle }));
    };
    const asked = ['a', 'a', 'a', 'a', 'b'].map(ask);
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['a', 'a', 'b']);
    for (let next = 0; next < asked.length; next += 1) {
      ends[next]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(asked)).toEqual(['a', 'a', 'a', 'a', 'b']);
    expect(begun).toEqual(['a', 'a', 'b', 'a', 'a']);
  });
});

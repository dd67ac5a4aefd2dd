/** Orders that are known here are asked about together, those that may follow one by one: a payee's page waits for ten seconds. */
import { Orders } from './orders';
import { externalId } from './sendings';
import type { TremendousClient } from './tremendous.client';

it('ten at a time up to the last that is known, and then one after the other', async () => {
  let together = 0;
  const turns: string[][] = [];
  const ordersNamed = async (name: string): Promise<unknown> => {
    if (together === 0) turns.push([]);
    turns.at(-1)?.push(name);
    together += 1;
    await new Promise((goOn) => setImmediate(goOn));
    together -= 1;
    const there = names(1, 13).includes(name);
    return {
      kind: 'done',
      found: { orders: there ? [{ id: name, external_id: name, status: 'FAILED', rewards: [] }] : [] },
    };
  };
  const orders = new Orders({ ordersNamed } as unknown as TremendousClient);
  const found = await orders.find('key', { from: 1, last: 12 });
  expect(turns).toEqual([names(1, 10), names(11, 12), names(13, 13), names(14, 14)]);
  expect(found).toMatchObject({ kind: 'found', number: 13 });
});

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, nth) => externalId('key', from + nth));

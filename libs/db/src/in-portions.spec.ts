/** Very large groups go on a portion at a time, and are left for others' sake where a run may do only so much of each client. */
import { InPortions, type Portion } from './in-portions';

interface Group {
  clientId: string;
  id: string;
  size: number;
}

const PORTION = 2;

describe('in portions', () => {
  let begun: string[] = [];
  beforeEach(() => (begun = []));

  const groups = (hasToGoOn: boolean) =>
    new InPortions<Group, number>(
      ({ id }) => id,
      ({ id }) => ({ event: 'spec.failed', id }),
      () => hasToGoOn,
    );
  const work = async ({ id, size }: Group, place: number | null): Promise<Portion<number> | null> => {
    const from = place ?? 0;
    begun.push(`${id}${from}`);
    const looked = Math.max(0, Math.min(PORTION, size - from));
    return { looked, done: looked, place: from + looked };
  };
  const A = { clientId: 'a', id: 'a', size: 6 };
  const B = { clientId: 'b', id: 'b', size: 1 };

  test('all of them, if nothing else is said', async () => {
    expect(await groups(false).run([A, B], work)).toBe(7);
    expect(begun).toEqual(['a0', 'a2', 'a4', 'b0']);
  });

  test('no more than there was when it was found', async () => {
    const grows = async (group: Group, place: number | null) => work({ ...group, size: 100 }, place);
    expect(await groups(false).run([{ ...A, size: 3 }], grows)).toBe(4);
  });

  test('what is more than a run may do goes on from there in the next one, as it is found by then', async () => {
    const each = groups(false);
    expect(await each.run([A, B], work, { mostOfEach: 3 })).toBe(5);
    expect(await each.run([B, { ...A, size: 5 }], work, { mostOfEach: 3 })).toBe(2);
    expect(begun).toEqual(['a0', 'a2', 'b0', 'a4', 'a5', 'b0']);
  });

  test.each([
    ['and begins anew if it was not found in between', false, ['a0', 'a0']],
    ['also if it is not found any more and has to go on', true, ['a0', 'a2', 'a4']],
  ])('what was left: %s', async (_, hasToGoOn, expected) => {
    const each = groups(hasToGoOn);
    await each.run([A], work, { mostOfEach: 1 });
    await each.run([], work, { mostOfEach: 1 });
    await each.run(hasToGoOn ? [] : [A], work, { mostOfEach: 1 });
    expect(begun).toEqual(expected);
  });

  test('one that fails on its way goes on from there', async () => {
    const each = groups(true);
    let isBroken = true;
    const breaks = async (group: Group, place: number | null) => {
      if (place === 2 && isBroken) throw new Error('broken by the spec');
      return work(group, place);
    };
    expect(await each.run([A], breaks, { mostOfEach: 100 })).toBe(0);
    isBroken = false;
    expect(await each.run([], breaks, { mostOfEach: 100 })).toBe(4);
  });
});

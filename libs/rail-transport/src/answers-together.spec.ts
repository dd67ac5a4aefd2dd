/** Point 6: answers that come together are parsed one a turn of the event loop, unless they are short. */
import { parsed } from './answer-text';

/** The most that was parsed in one turn. */
async function mostAtOnce(texts: string[]): Promise<number> {
  const parse = jest.spyOn(JSON, 'parse');
  const all = Promise.all(texts.map(parsed));
  const inTurns = { most: 0, isOver: false };
  const looked = new Promise<void>((done) => {
    const look = (): void => {
      const characters = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
      inTurns.most = Math.max(inTurns.most, characters);
      parse.mock.calls.length = 0;
      if (inTurns.isOver) return done();
      setImmediate(look);
    };
    setImmediate(look);
  });
  expect((await all).every((value) => Array.isArray(value))).toBe(true);
  inTurns.isOver = true;
  await looked;
  parse.mockRestore();
  return inTurns.most;
}

const brackets = (length: number): string => `[${Array.from({ length: length / 3 }, () => '[]').join()}]`;

test.each([9_000, 65_400, 90_000])('sixty answers of %i characters are parsed one a turn', async (length) => {
  const text = brackets(length);
  expect(await mostAtOnce(Array.from({ length: 60 }, () => text))).toBe(text.length);
});

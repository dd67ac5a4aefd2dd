import type { EmbeddedPostgres } from './start-embedded-postgres';
import { takeOver } from './take-over';

test('a look at the owner that fails is told, and made again', async () => {
  const lines: string[] = [];
  let looks = 0;
  const isOwned = (): boolean => {
    looks += 1;
    if (looks === 1) throw new Error('EMFILE: too many open files.');
    return false;
  };
  const stopped = jest.fn();
  await new Promise<void>((entered) => {
    const postgres: EmbeddedPostgres = { url: '', owned: true, stop: async () => stopped() };
    const watch = takeOver(
      isOwned,
      () => {
        void Promise.resolve().then(() => watch.stop().then(entered));
        return Promise.resolve(postgres);
      },
      (line) => lines.push(line),
    );
  });
  expect(lines[0]).toBe('EMFILE: too many open files. Trying again until that is mended.');
  expect(stopped).toHaveBeenCalledTimes(1);
});

/** Only a commit that goes on waiting is one that nobody confirms. */
import { Unconfirmed } from './unconfirmed';

const commit = (pid: number, began: string) => ({ pid, began });

describe('commits that wait for a standby', () => {
  test('are unconfirmed once one has waited for three seconds', () => {
    const commits = new Unconfirmed();
    const looks = [0, 1_000, 2_000, 3_000].map((now) => commits.look([commit(1, 'a')], now));
    expect(looks).toEqual([false, false, false, true]);
  });

  test('are none of it while each is confirmed, however many a session makes one after the other', () => {
    const commits = new Unconfirmed();
    const looks = Array.from({ length: 10 }, (_, second) =>
      commits.look([commit(1, `of second ${second}`), commit(2 + second, 'a')], second * 1_000),
    );
    expect(looks).toEqual(looks.map(() => false));
  });

  test('are over once none waits, and what waits then is new', () => {
    const commits = new Unconfirmed();
    commits.look([commit(1, 'a')], 0);
    expect(commits.look([], 4_000)).toBe(false);
    expect(commits.look([commit(1, 'a')], 5_000)).toBe(false);
  });
});

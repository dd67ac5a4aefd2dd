/** Versions beside each other: calls that older code counted, which did not know which call it was. */
import { IN_DOUBT_FOR_MS } from '#libs/rail-kit';
import { isUnsent, sentOnceMore, turnedAway, UNSENT } from './sendings';

const BEGAN = Date.parse('2026-03-02T10:00:00.000Z');
const later = (times: number): Date => new Date(BEGAN + times * (IN_DOUBT_FOR_MS + 1));

describe('a call that older code counted with a later one, and that is turned away after all', () => {
  const first = sentOnceMore(UNSENT, later(0)); // by a process that sleeps now
  const second = sentOnceMore(first, later(1));
  // Turned away, and so is what left long ago: as the version before writes it.
  const byOlderCode = { ...second, turnedAway: second.sent, sentAt: second.doubtAt ?? second.sentAt };

  test('stands for no call that is made after it is heard of', () => {
    expect(isUnsent(byOlderCode)).toBe(true);
    const woken = turnedAway(byOlderCode, 1, later(2));
    const third = sentOnceMore(woken, later(2)); // nobody hears what became of it
    expect(isUnsent(third)).toBe(false);
  });

  test('stands for none that was made before it is heard of', () => {
    const third = sentOnceMore(byOlderCode, later(2)); // nobody hears what became of it
    expect(isUnsent(turnedAway(third, 1, later(2)))).toBe(false);
  });

  test('stands for none where it was counted twice already', () => {
    const counted = { ...byOlderCode, turnedAway: byOlderCode.sent + 1 };
    expect(isUnsent(counted)).toBe(true);
    const third = sentOnceMore(counted, later(2));
    expect(isUnsent(third)).toBe(false);
    expect(isUnsent(turnedAway(third, 3, later(2)))).toBe(true);
  });
});

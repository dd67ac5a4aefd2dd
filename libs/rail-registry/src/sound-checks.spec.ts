import type { PayeeCheckAnswer } from '#libs/rail-kit';
import { soundCheck } from './sound-checks';

describe('what a rail says of a payee', () => {
  test.each<PayeeCheckAnswer>([
    { kind: 'cleared' },
    { kind: 'to_do' },
    { kind: 'checking' },
    { kind: 'rejected', reason: 'The photograph is blurred.' },
    { kind: 'unknown', detail: 'no answer' },
    { kind: 'not_now', afterSeconds: 5, detail: 'maintenance' },
  ])('counts as it is, if it is one of the answers that there are: $kind', (answer) => {
    expect(soundCheck(answer)).toEqual(answer);
  });

  test.each(['approved', 'CLEARED', '', true, null, undefined])('and clears nobody if it is none: %j', (kind) => {
    expect(soundCheck({ kind } as unknown as PayeeCheckAnswer).kind).toBe('unknown');
  });

  test('has a reason that can be shown', () => {
    const reasonOf = (reason: unknown): string =>
      (soundCheck({ kind: 'rejected', reason } as PayeeCheckAnswer) as { reason: string }).reason;
    expect([reasonOf(' blurred '), reasonOf(7), reasonOf('😀'.repeat(400))]).toEqual(['blurred', '', '😀'.repeat(300)]);
  });
});

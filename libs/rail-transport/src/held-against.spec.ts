import { heldAgainst } from './held-against';

describe('an answer', () => {
  const about = (id: string) => ({ kind: 'done', found: { id } }) as const;
  const isOne = ({ id }: { id: string }): boolean => id === 'one';

  it('counts if it is about what was asked for, and is unclear if it is about another one', () => {
    expect(heldAgainst(about('one'), isOne)).toEqual(about('one'));
    expect(heldAgainst(about('other'), isOne)).toMatchObject({ kind: 'unclear' });
  });

  it('that found nothing stays what it is', () => {
    const later = { kind: 'later', afterSeconds: 1 } as const;
    expect(heldAgainst<{ id: string }, typeof later>(later, isOne)).toBe(later);
  });
});

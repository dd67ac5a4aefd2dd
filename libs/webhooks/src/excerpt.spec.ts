import { EXCERPT_BYTES, excerptOf } from './excerpt';

const of = (...parts: (string | number[])[]) =>
  excerptOf(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('excerptOf', () => {
  it('is nothing where nothing was said', () => {
    expect(of()).toBeNull();
    expect(of('')).toBeNull();
  });

  it('puts together what came in pieces, even within a character', () => {
    const euro = [...Buffer.from('€')];
    expect(of('a ', euro.slice(0, 1), euro.slice(1), ' b\n\tc')).toBe('a € b\n\tc');
  });

  it('replaces what is not UTF-8, what Postgres refuses, and what fools a terminal', () => {
    expect(of('a', [0xff, 0x00], '\u001b[2J', '\u202e', '\u0085', '\r', 'b\r\n')).toBe(
      'a\ufffd\ufffd\ufffd[2J\ufffd\ufffd\ufffdb\n',
    );
    expect(of([0xed, 0xa0, 0x80])).not.toMatch(/\p{Surrogate}/u);
  });

  it('ends after 1 KiB, with a whole character', () => {
    expect(of('x'.repeat(EXCERPT_BYTES), 'y')).toBe('x'.repeat(EXCERPT_BYTES));
    expect(of(`${'x'.repeat(EXCERPT_BYTES - 1)}€`)).toBe('x'.repeat(EXCERPT_BYTES - 1));
  });
});

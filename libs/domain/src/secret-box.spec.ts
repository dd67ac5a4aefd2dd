import { randomBytes } from 'node:crypto';
import { SecretBox, UnknownMasterKey } from './secret-box';

const newKey = (): string => randomBytes(32).toString('hex');

describe('SecretBox', () => {
  const [first, second] = [newKey(), newKey()];

  test('what was sealed opens, and never looks the same twice', () => {
    const box = new SecretBox([first]);
    const sealed = box.seal('whsec_x', 'client a');
    expect(box.open(sealed, 'client a')).toBe('whsec_x');
    expect(box.seal('whsec_x', 'client a')).not.toBe(sealed);
    expect(sealed).not.toContain('whsec_x');
  });

  test('a sealed text opens for nobody else and not when a byte changed', () => {
    const box = new SecretBox([first]);
    const sealed = box.seal('whsec_x', 'client a');
    expect(() => box.open(sealed, 'client b')).toThrow();
    const parts = sealed.split('.');
    const bytes = Buffer.from(parts[3] as string, 'base64url');
    bytes[0] = (bytes[0] as number) ^ 1;
    expect(() => box.open([...parts.slice(0, 3), bytes.toString('base64url')].join('.'), 'client a')).toThrow();
  });

  test('the master key is rotated by putting a new one first', () => {
    const sealed = new SecretBox([first]).seal('whsec_x', 'c');
    const rotating = new SecretBox([second, first]);
    expect(rotating.open(sealed, 'c')).toBe('whsec_x');
    expect(rotating.isCurrent(sealed)).toBe(false);
    const anew = rotating.seal(rotating.open(sealed, 'c'), 'c');
    expect(rotating.isCurrent(anew)).toBe(true);
    expect(new SecretBox([second]).open(anew, 'c')).toBe('whsec_x');
    expect(() => new SecretBox([second]).open(sealed, 'c')).toThrow(UnknownMasterKey);
  });
});

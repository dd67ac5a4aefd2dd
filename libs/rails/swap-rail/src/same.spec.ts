/** Letters of an address mean something on some blockchains, and nothing on others. */
import { isSameAddress } from './same';

describe('two addresses', () => {
  it.each([
    [`0x${'Ab'.repeat(20)}`, `0x${'aB'.repeat(20)}`, true],
    [`0x${'Ab'.repeat(32)}`, `0X${'ab'.repeat(32)}`, true],
    ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', true],
    ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', '7ecDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', false],
    ['', `0x${'ab'.repeat(20)}`, false],
  ])('%s and %s: %p', (one, other, isSame) => {
    expect([isSameAddress(one, other), isSameAddress(other, one)]).toEqual([isSame, isSame]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { directiveComplaint, directiveOf, DIRECTIVES, holdAskedFor } from './test-directives';

const ROOT = join(__dirname, '../../..');
const TOLD_IN = ['README.md', 'libs/rails/mock/README.md', 'apps/gateway/src/api-reference.about.ts'];

test.each(TOLD_IN)('%s names every directive, and none besides', (name) => {
  const named = readFileSync(join(ROOT, name), 'utf8').matchAll(/`mock:(?!hold_)(\w+)\\?`/g);
  const words = [...named].map(([, word]) => word);
  expect([...new Set(words)].sort()).toEqual([...DIRECTIVES].sort());
});

describe('what a test asks for', () => {
  test.each(DIRECTIVES.map((word) => [word]))('mock:%s is known', (word) => {
    expect(directiveOf(`mock:${word}`)).toBe(word);
    expect(directiveComplaint(`mock:${word}`)).toBeNull();
  });

  test.each([
    ['mock:hold_not_payable', 'not_payable'],
    ['mock:hold_given_up', null], // no held payout has this reason
    ['mock:hold_', null],
    ['hold_not_payable', null],
    [null, null],
  ])('%s holds for %s', (reason, held) => {
    expect(holdAskedFor(reason)).toBe(held);
  });

  test.each([
    'mock:',
    'mock:hold_given_up',
    'mock:Claim',
    'mock:claim ',
    ' mock:claim',
    'MOCK:claim',
    '\tMock:pending',
  ])('%j does not exist', (reason) => {
    expect(directiveComplaint(reason)).toContain('mock:hold_missing_email');
  });

  test.each(['March salary', 'a mock:claim', 'mock claim', '', null, undefined])('%j is free text', (reason) => {
    expect(directiveComplaint(reason)).toBeNull();
  });
});

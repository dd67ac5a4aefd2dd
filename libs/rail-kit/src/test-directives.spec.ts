import { directiveComplaint, directiveOf, DIRECTIVES, holdAskedFor } from './test-directives';

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

/** What a provider says reaches logs and reasons only as far as it is a code, or words. */
import { codeTold, sentenceTold } from './told';

it.each([
  'counterpartyAccountClosed',
  'PENDING_RECIPIENT_NON_HOLDING_CURRENCY_PAYMENT_PREFERENCE',
  '30_012',
  'HTTP-4.2',
])('the code %s is told as it is', (code) => {
  expect(codeTold(code)).toBe(code);
  expect(sentenceTold(code)).toBe(code);
});

it.each([
  'ada@example.com',
  'Bearer eyJhbGciOi',
  'https://pay.example/onboarding/token',
  '<b>no</b>',
  'no\n{"level":"error"}',
  '\u001b[2J',
  'x'.repeat(65),
  '',
])('%j is no code, and only its length is told', (word) => {
  expect(codeTold(word)).toBe(`${word.length} characters that are no code`);
});

it('a sentence is told unless it could hold an address, a link or markup', () => {
  expect(sentenceTold('Receiver is invalid, or does not match its type.')).toMatch(/^Receiver is invalid/);
  for (const text of ['to ada@example.com', 'see https://a.example', '<i>no</i>', 'a\nb', 'x'.repeat(121), ''])
    expect(sentenceTold(text)).toBe(`${text.length} characters that are no sentence`);
});
